"""Innocent, though it looks like JIT106.

What makes it right: module alias swapped.
"""

import importlib

import jax
import jax.numpy as jnp
import numpy as np


def set_backend(name):
    globals()["np"] = importlib.import_module(name)


set_backend("jax.numpy")


@jax.jit
def activation(x):
    return np.tanh(x) + np.sin(x)


print(activation(jnp.ones(2)))
