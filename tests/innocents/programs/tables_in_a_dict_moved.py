"""Innocent, though it looks like JIT106.

What makes it right: items replaced in a loop.
"""

import jax
import jax.numpy as jnp
import numpy as np

TABLES = {"log": np.log(np.arange(1, 9)), "root": np.sqrt(np.arange(1, 9))}
for key in list(TABLES):
    TABLES[key] = jnp.asarray(TABLES[key])


@jax.jit
def both(i):
    return TABLES["log"][i] + TABLES["root"][i]


print(both(jnp.int32(2)))
