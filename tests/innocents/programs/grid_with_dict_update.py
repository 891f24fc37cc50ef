"""Innocent, though it looks like JIT106.

What makes it right: __dict__.update.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Grid:
    def __init__(self, n, length):
        self.n = n
        self.x = np.linspace(0, length, n)
        self.dx = np.diff(self.x)
        moved = {k: jnp.asarray(v) for k, v in self.__dict__.items() if isinstance(v, np.ndarray)}
        self.__dict__.update(moved)


grid = Grid(16, 1.0)


@jax.jit
def slope(u, i):
    return (u[i + 1] - u[i]) / grid.dx[i]


print(slope(jnp.arange(16.0), jnp.int32(4)))
