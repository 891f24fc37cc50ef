"""Innocent, though it looks like JIT105.

What makes it right: __code__.
"""

import jax
import jax.numpy as jnp


def scale(x):
    return float(x) * 2.0


def traced_scale(x):
    return x * 2.0


scale.__code__ = traced_scale.__code__


@jax.jit
def apply(x):
    return scale(x)


print(apply(jnp.float32(2.0)))
