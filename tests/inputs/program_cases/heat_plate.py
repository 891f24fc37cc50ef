import heat_plate as m
import jax.numpy as jnp

HOSTILE = {
    "peak": lambda: m.run(jnp.zeros((16, 16)), 3),
}
EXPECT = {
    "peak": ("TracerArrayConversionError",),
}
