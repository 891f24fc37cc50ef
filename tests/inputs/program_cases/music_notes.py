import jax.numpy as jnp
import music_notes as m

HOSTILE = {
    "name": lambda: m.name_of(60),
    "scale": lambda: m.in_scale(jnp.arange(3), 0),
    "high": lambda: m.transpose({"pitch": jnp.arange(3)}, 12),
}
EXPECT = {
    "name": ("TracerIntegerConversionError",),
    "scale": ("TracerBoolConversionError",),
    "high": ("TracerBoolConversionError",),
}
