import epidemic_fit as m
import jax.numpy as jnp

HOSTILE = {
    "peak": lambda: m.fit({"beta": 0.3, "gamma": 0.1}, (99.0, 1.0, 0.0), jnp.ones(6)),
}
EXPECT = {
    "peak": ("TracerBoolConversionError",),
}
