"""Innocent, though it looks like JIT106.

What makes it right: __getattribute__ that converts.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Frozen:
    def __getattribute__(self, name):
        value = super().__getattribute__(name)
        return jnp.asarray(value) if isinstance(value, np.ndarray) else value


class Atlas(Frozen):
    def __init__(self, n):
        self.heights = np.arange(float(n))


atlas = Atlas(12)


@jax.jit
def height(i):
    return atlas.heights[i]


print(height(jnp.int32(5)))
