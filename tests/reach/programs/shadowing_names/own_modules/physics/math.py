"""Elementary functions for arrays."""

import jax.numpy as jnp


def sqrt(x):
    return jnp.sqrt(x)


def floor(x):
    return jnp.floor(x)


pi = 3.141592653589793
