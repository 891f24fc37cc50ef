"""Innocent, though it looks like JIT106.

What makes it right: method called at module level.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Terrain:
    def __init__(self, size):
        self.height = np.zeros((size, size))
        self.friction = np.ones(size)

    def to_device(self):
        for name, value in vars(self).items():
            setattr(self, name, jnp.asarray(value))


terrain = Terrain(4)
terrain.to_device()


@jax.jit
def sample(i, j):
    return terrain.height[i, j] + terrain.friction[i]


print(sample(jnp.int32(1), jnp.int32(2)))
