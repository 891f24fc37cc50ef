"""Innocent, though it looks like JIT106.

What makes it right: __getattr__ that converts.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Table:
    def __init__(self):
        self.rows = np.arange(6).reshape(3, 2)


class OnDevice:
    def __init__(self, wrapped):
        self._wrapped = wrapped

    def __getattr__(self, name):
        return jnp.asarray(getattr(self._wrapped, name))


table = OnDevice(Table())


@jax.jit
def row(i):
    return table.rows[i]


print(row(jnp.int32(1)))
