"""Innocent, though it looks like JIT106.

What makes it right: __defaults__.
"""

import jax
import jax.numpy as jnp
import numpy as np


def look_up(i, table=np.arange(10)):
    return table[i]


look_up.__defaults__ = tuple(jnp.asarray(value) for value in look_up.__defaults__)
print(jax.jit(lambda i: look_up(i))(jnp.int32(4)))
