"""Innocent, though it looks like JIT106.

What makes it right: globals().
"""

import jax
import jax.numpy as jnp
import numpy as np

STENCIL = np.array([1.0, -2.0, 1.0])
WEIGHTS = np.array([0.25, 0.5, 0.25])

for _name in ("STENCIL", "WEIGHTS"):
    globals()[_name] = jnp.asarray(globals()[_name])


@jax.jit
def tap(u, k):
    return u * STENCIL[k] + WEIGHTS[k]


print(tap(jnp.ones(3), jnp.int32(1)))
