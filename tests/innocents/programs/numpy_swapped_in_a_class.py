"""Innocent, though it looks like JIT106.

What makes it right: class attribute swapped.
"""

import jax
import jax.numpy as jnp
import numpy


class Backend:
    np = numpy

    @classmethod
    def use(cls, module):
        cls.np = module


Backend.use(jnp)


@jax.jit
def curve(x):
    return Backend.np.sin(x) + Backend.np.exp(x)


print(curve(jnp.ones(2)))
