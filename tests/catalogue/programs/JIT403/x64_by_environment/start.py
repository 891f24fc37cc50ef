"""The variable is set before JAX is imported."""

import os

os.environ["JAX_ENABLE_X64"] = "True"

import jax.numpy as jnp


def weights(count):
    return jnp.ones(count, dtype=jnp.float64)
