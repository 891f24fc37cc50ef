"""The names of NumPy on JAX."""

from jax.numpy import *  # noqa: F403
from jax.numpy import asarray, sin  # noqa: F401


def describe(array):
    return f"array of shape {array.shape}"
