import jax.numpy as jnp

TIGHT = jnp.float64(1e-12)
