"""Innocent, though it looks like JIT106.

What makes it right: __setattr__ that converts.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Module:
    def __setattr__(self, name, value):
        if isinstance(value, np.ndarray):
            value = jnp.asarray(value)
        object.__setattr__(self, name, value)


class Embedding(Module):
    def __init__(self, n, dim):
        self.table = np.random.default_rng(1).normal(size=(n, dim))

    def __call__(self, token):
        return self.table[token]


embed = Embedding(10, 4)
print(jax.jit(lambda t: embed(t))(jnp.int32(3)))
