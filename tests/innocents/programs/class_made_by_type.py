"""Innocent, though it looks like JIT106.

What makes it right: type() with a namespace.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Plain:
    def __init__(self, n):
        self.weights = np.full(n, 1 / n)


def with_device(cls):
    def initialise(self, *args):
        cls.__init__(self, *args)
        self.__dict__ = {k: jnp.asarray(v) for k, v in self.__dict__.items()}

    return type("Device" + cls.__name__, (cls,), {"__init__": initialise})


mixture = with_device(Plain)(4)


@jax.jit
def weight(i):
    return mixture.weights[i]


print(weight(jnp.int32(1)))
