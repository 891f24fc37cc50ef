import image_crops as m
import jax
import jax.numpy as jnp

HOSTILE = {
    "slice": lambda: m.batch_augment(jax.random.key(0), jnp.ones((2, 12, 12, 3))),
    "factor": lambda: m.brighten(jnp.ones((2, 12, 12, 3)), 1.5),
}
EXPECT = {
    "slice": ("IndexError",),
    "factor": ("TracerBoolConversionError",),
}
