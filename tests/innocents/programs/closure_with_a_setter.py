"""Innocent, though it looks like JIT106.

What makes it right: nonlocal through another function.
"""

import jax
import jax.numpy as jnp
import numpy as np


def lookup(table):
    def move():
        nonlocal table
        table = jnp.asarray(table)

    def get(i):
        return table[i]

    return get, move


get, move = lookup(np.arange(5.0))
move()
print(jax.jit(get)(jnp.int32(2)))
