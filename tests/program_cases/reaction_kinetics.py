import equinox as eqx
import jax
import jax.numpy as jnp
import optax
import reactions as r

N = r.decay_chain()
A = jnp.array([8.0, 1.0])
B = jnp.stack([A, A])
K = jax.random.key(0)


def fit(verbose):
    optimiser = optax.sgd(1e-2)
    state = optimiser.init(eqx.filter(N, eqx.is_array))
    out = r.fit_step(N, optimiser, state, B, B, verbose)
    return [leaf for leaf in jax.tree.leaves(out) if eqx.is_array(leaf)]


HOSTILE = {
    "negative": lambda: r.trajectory(r.decay_chain(clamp=False), A, 0.1, 3, K),
    "fired": lambda: r.first_reaction(N, A, K),
    "half": lambda: r.half_life(N, A, 0.1),
    "fastest": lambda: r.fastest(N, A),
    "present": lambda: r.present(N, A),
    "logged": lambda: r.fit_step_logged(N, B, B),
}
EXPECT = {
    "negative": ("TracerBoolConversionError",),
    "fired": ("TracerIntegerConversionError",),
    "half": ("TracerBoolConversionError",),
    "fastest": ("TracerBoolConversionError",),
    "present": ("TracerBoolConversionError",),
    "logged": ("TypeError",),
}
INNOCENT = [
    lambda: r.trajectory(N, A, 0.1, 3, K),
    lambda: r.trajectory(r.decay_chain(volume=2.0), A, 0.1, 3, K),
    lambda: N(A),
    lambda: fit(False),
    lambda: fit(True),
]
