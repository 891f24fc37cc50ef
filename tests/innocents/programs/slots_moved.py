"""Innocent, though it looks like JIT106.

What makes it right: setattr over __slots__.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Orbit:
    __slots__ = ("times", "radii")

    def __init__(self, n):
        self.times = np.arange(n)
        self.radii = np.ones(n)
        for name in self.__slots__:
            setattr(self, name, jnp.asarray(getattr(self, name)))


orbit = Orbit(6)


@jax.jit
def radius(i):
    return orbit.radii[i] * orbit.times[i]


print(radius(jnp.int32(2)))
