import jax.numpy as jnp
import lorenz_flow as m

HOSTILE = {
    "error": lambda: m.advance(jnp.ones(3), 0.1, 1e-3),
}
EXPECT = {
    "error": ("TracerBoolConversionError",),
}
