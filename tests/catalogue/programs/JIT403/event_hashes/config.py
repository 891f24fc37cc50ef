import jax.numpy as jnp

DTYPE = jnp.float64
SETTINGS = {"dtype": "int64"}
