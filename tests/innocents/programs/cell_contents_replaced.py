"""Innocent, though it looks like JIT106.

What makes it right: cell contents.
"""

import jax
import jax.numpy as jnp
import numpy as np


def make(table):
    return lambda i: table[i]


get = make(np.arange(5.0))
get.__closure__[0].cell_contents = jnp.arange(5.0)
print(jax.jit(get)(jnp.int32(2)))
