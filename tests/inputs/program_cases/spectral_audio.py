import jax.numpy as jnp
import spectral_audio as m

HOSTILE = {
    "silence": lambda: m.centroid(jnp.ones(256)),
    "rise": lambda: m.onsets(jnp.ones(256)),
}
EXPECT = {
    "silence": ("TracerBoolConversionError",),
    "rise": ("ConcretizationTypeError",),
}
