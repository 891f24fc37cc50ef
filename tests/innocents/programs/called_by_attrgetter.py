"""Innocent, though it looks like JIT106.

What makes it right: operator.methodcaller.
"""

import operator

import jax
import jax.numpy as jnp
import numpy as np


class Palette:
    def __init__(self):
        self.colours = np.eye(3)

    def move(self, put):
        self.colours = put(self.colours)


palette = Palette()
operator.methodcaller("move", jnp.asarray)(palette)


@jax.jit
def colour(i):
    return palette.colours[i]


print(colour(jnp.int32(1)))
