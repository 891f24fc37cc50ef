import jax.numpy as jnp
import regulators as r

P = r.double_integrator()
X = jnp.array([1.0, 0.0])
HOSTILE = {
    "settled": lambda: r.synthesise(P, method="python"),
    "horizon": lambda: r.finite_gain(P, 20),
    "symmetric": lambda: r.checked_gain(P),
    "power": lambda: r.lookahead(P, X, 3),
    "outside": lambda: r.guarded(jnp.ones((3, 2)), jnp.ones((3, 1))),
}
EXPECT = {
    "settled": ("TracerBoolConversionError",),
    "horizon": ("TracerBoolConversionError",),
    "symmetric": ("TracerBoolConversionError",),
    "power": ("ValueError",),
    "outside": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: r.synthesise(P),
    lambda: r.rollout(P, r.synthesise(P), X, 5),
    lambda: r.predictive(P, 3, 1.0)(X),
    lambda: r.predictive(P, 3, None)(X),
    lambda: r.controllable(P),
    lambda: r.lqr(P, method="python"),
]
