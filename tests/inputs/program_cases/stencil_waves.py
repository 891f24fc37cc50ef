import jax.numpy as jnp
import stencil_waves as m

HOSTILE = {
    "courant": lambda: m.run(jnp.ones(8), jnp.ones(8), 0.5, "free", 2),
}
EXPECT = {
    "courant": ("TracerBoolConversionError",),
}
