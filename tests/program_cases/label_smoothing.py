import jax
import jax.numpy as jnp
import losses as m

G = jax.random.normal(jax.random.key(0), (6, 3))
Y = jnp.arange(6) % 3
W = jnp.array([1.0, 0, 0, 0, 0, 0])
HOSTILE = {
    "gamma": lambda: m.focal_traced(G, Y, 2.0),
    "entropy": lambda: m.entropy(jax.nn.softmax(G)),
    "bounds": lambda: m.clipped_step(G, Y, 0.1),
}
EXPECT = {
    "gamma": ("TracerBoolConversionError",),
    "entropy": ("TracerArrayConversionError",),
    "bounds": ("TracerBoolConversionError",),
}
SILENT = {
    "amount": lambda: float(m.cross_entropy(G, Y, 0.5)) == float(m.cross_entropy(G, Y, 0.0))
    and not jnp.allclose(m.smooth(Y, 3, 0.5), m.smooth(Y, 3, 0.0)),
    "weights": lambda: float(m.weighted(jnp.arange(6.0), W)) == 2.5,
}
INNOCENT = [
    lambda: m.soft_cross_entropy(G, Y, 0.1, reduction="sum"),
    lambda: m.focal_static(G, Y, 2.0),
    lambda: m.eager_step(G, Y),
    lambda: m.smooth(Y, 3, 0.1),
]
