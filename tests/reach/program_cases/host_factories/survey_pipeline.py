import jax.numpy as jnp
import pipeline as m

I = jnp.arange(16.0).reshape(4, 4)
HOSTILE = {
    "level": lambda: m.load("quick")(I),
    "percentile": lambda: m.load("deep")(I),
    "where": lambda: m.load("quick").by_name["detect"](I),
    "saturated": lambda: m.load("bright").by_name["calibrate"](I),
}
EXPECT = {
    "level": ("TracerBoolConversionError",),
    "percentile": ("TracerArrayConversionError",),
    "where": ("ConcretizationTypeError",),
    "saturated": ("TracerBoolConversionError",),
}
INNOCENT = []
