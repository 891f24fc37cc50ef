"""Innocent, though it looks like JIT106.

What makes it right: items replaced by operator.setitem.
"""

import operator

import jax
import jax.numpy as jnp
import numpy as np

levels = [np.arange(4), np.arange(8)]
for number, level in enumerate(levels):
    operator.setitem(levels, number, jnp.asarray(level))


@jax.jit
def pick(i):
    return levels[0][i] + levels[1][i]


print(pick(jnp.int32(1)))
