import jax.numpy as jnp
import sorted_layers as m

P = {"a": {"w": jnp.ones((3, 3)), "b": jnp.zeros(3)}}

HOSTILE = {
    "exploded": lambda: m.mean_output(P, jnp.ones((2, 3))),
    "heavy": lambda: m.norms(P),
}
EXPECT = {
    "exploded": ("TracerBoolConversionError",),
    "heavy": ("TracerBoolConversionError",),
}
