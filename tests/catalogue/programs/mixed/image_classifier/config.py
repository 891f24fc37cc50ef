import jax.numpy as jnp

RATE = 0.1
DROP = 0.5
PRECISION = jnp.float64
