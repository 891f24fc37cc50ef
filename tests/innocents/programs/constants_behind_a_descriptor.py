"""Innocent, though it looks like JIT106.

What makes it right: descriptor that converts.
"""

import jax
import jax.numpy as jnp
import numpy as np


class DeviceArray:
    def __init__(self, dtype):
        self.dtype = dtype

    def __set_name__(self, owner, name):
        self.key = name

    def __set__(self, instance, value):
        instance.__dict__[self.key] = jnp.asarray(value, self.dtype)

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__[self.key]


class Lattice:
    directions = DeviceArray(jnp.int32)
    weights = DeviceArray(jnp.float32)

    def __init__(self):
        self.directions = np.array([[0, 0], [1, 0], [0, 1]])
        self.weights = np.array([4 / 9, 1 / 9, 1 / 9])


lattice = Lattice()


@jax.jit
def weight(q):
    return lattice.weights[q] * lattice.directions[q]


print(weight(jnp.int32(1)))
