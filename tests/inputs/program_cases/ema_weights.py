import ema_weights as m
import jax.numpy as jnp

HOSTILE = {
    "rate": lambda: m.make_update(0.9)({"w": jnp.ones(2)}, {"w": jnp.ones(2)}, 3),
}
EXPECT = {
    "rate": ("TracerBoolConversionError",),
}
