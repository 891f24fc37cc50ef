import curve_splines as m
import jax.numpy as jnp

HOSTILE = {
    "range": lambda: m.bezier(jnp.ones((4, 2)), 0.5),
    "bisect": lambda: m.lookup(jnp.arange(3.0), jnp.arange(4.0), 0.5),
}
EXPECT = {
    "bisect": ("TracerBoolConversionError",),
    "range": ("TracerBoolConversionError",),
}
