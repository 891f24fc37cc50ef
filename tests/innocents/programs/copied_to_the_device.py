"""Innocent, though it looks like JIT106.

What makes it right: __deepcopy__.
"""

import copy

import jax
import jax.numpy as jnp
import numpy as np


class Basis:
    def __init__(self, n):
        self.functions = np.eye(n)

    def __deepcopy__(self, memo):
        made = type(self).__new__(type(self))
        made.functions = jnp.asarray(self.functions)
        return made


basis = copy.deepcopy(Basis(4))


@jax.jit
def component(i):
    return basis.functions[i]


print(component(jnp.int32(1)))
