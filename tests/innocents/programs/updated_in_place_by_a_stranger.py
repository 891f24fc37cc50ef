"""Innocent, though it looks like JIT205.

What makes it right: array class with item assignment.
"""

import importlib

import jax
import jax.numpy as jnp


class Buffer:
    def __init__(self, array):
        self.array = array

    def __setitem__(self, index, value):
        self.array = self.array.at[index].set(value)


wrap = vars(importlib.import_module(__name__))["Buffer"]


@jax.jit
def fill(x):
    out = wrap(jnp.zeros(3))
    out[0] = x
    return out.array


print(fill(1.0))
