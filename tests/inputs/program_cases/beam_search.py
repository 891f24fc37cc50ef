import beam_search as m
import jax.numpy as jnp

HOSTILE = {
    "finished": lambda: m.decode(jnp.ones((6, 6)), 1),
}
EXPECT = {
    "finished": ("TracerBoolConversionError",),
}
