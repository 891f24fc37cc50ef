"""Innocent, though it looks like JIT106.

What makes it right: weak registry.
"""

import weakref

import jax
import jax.numpy as jnp
import numpy as np

_OWNERS = weakref.WeakSet()


class Mesh:
    def __init__(self, n):
        self.cells = np.arange(n) * 2
        _OWNERS.add(self)


mesh = Mesh(5)


def to_device():
    for owner in _OWNERS:
        owner.cells = jnp.asarray(owner.cells)


to_device()


@jax.jit
def cell(i):
    return mesh.cells[i]


print(cell(jnp.int32(3)))
