"""Innocent, though it looks like JIT105.

What makes it right: single dispatch, registered by a loop.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.singledispatch
def magnitude(x):
    return float(x)


for kind in (jax.Array, jax.core.Tracer):
    magnitude.register(kind, jnp.abs)
magnitude.register(np.ndarray, np.abs)


@jax.jit
def scaled(x):
    return magnitude(x) * 2


print(scaled(jnp.float32(-2.0)))
