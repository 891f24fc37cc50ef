import jax
import jax.numpy as jnp
import gradients
import losses

G = jax.random.normal(jax.random.key(0), (6, 3))
Y = jnp.arange(6) % 3
W = jnp.array([1.0, 0, 0, 0, 0, 0])
HOSTILE = {
    "gamma": lambda: losses.focal_traced(G, Y, 2.0),
    "entropy": lambda: losses.entropy(jax.nn.softmax(G)),
    "bounds": lambda: gradients.clipped_step(G, Y, 0.1),
}
EXPECT = {
    "gamma": ("TracerBoolConversionError",),
    "entropy": ("TracerArrayConversionError",),
    "bounds": ("TracerBoolConversionError",),
}
SILENT = {
    "amount": lambda: (
        float(losses.cross_entropy(G, Y, 0.5)) == float(losses.cross_entropy(G, Y, 0.0))
        and not jnp.allclose(losses.smooth(Y, 3, 0.5), losses.smooth(Y, 3, 0.0))
    ),
    "weights": lambda: float(losses.weighted(jnp.arange(6.0), W)) == 2.5,
}
INNOCENT = [
    lambda: losses.soft_cross_entropy(G, Y, 0.1, reduction="sum"),
    lambda: losses.focal_static(G, Y, 2.0),
    lambda: gradients.eager_step(G, Y),
    lambda: losses.smooth(Y, 3, 0.1),
]
