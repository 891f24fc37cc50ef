import jax
import jax.numpy as jnp
import neural_sde as n
import optax

K, X = jax.random.key(0), jnp.array([0.5, 0.1])


def model(simulate, **options):
    init, apply = n.make_model(simulate, **options)
    return apply(init(K, X, K, 1, 0.1), X, K, 3, 0.1)


def gated():
    _, apply = n.make_model(n.euler_maruyama, gated=True)
    d = {"w": jnp.ones((3, 8)), "b": jnp.ones(8)}, {"w": jnp.ones((8, 2)), "b": jnp.ones(2)}
    params = {"drift/layer_0": d[0], "drift/linear": d[1], "drift": {"strength": jnp.ones(())}}
    return apply(params, X, K, 3, 0.1)


def train():
    init, apply = n.make_model(n.euler_maruyama, widths=(4, 4), residual=False)
    params, optimiser = init(K, X, K, 1, 0.1), optax.adam(1e-2)
    return n.train_step(apply, optimiser)(params, optimiser.init(params), X, K, jnp.zeros(2), 3)


HOSTILE = {
    "gate": gated,
    "inside": lambda: model(n.stopped),
    "order": lambda: n.summary(jnp.ones((1, 4, 2)), 3),
    "cross": lambda: n.crossing_times(jnp.ones((4, 2)), 0.0),
    "share": lambda: n.warm_rate(1, 10),
}
EXPECT = {
    "gate": ("TracerBoolConversionError",),
    "inside": ("TracerBoolConversionError",),
    "order": ("TracerIntegerConversionError",),
    "cross": ("TracerArrayConversionError",),
    "share": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: model(n.euler_maruyama), train]
