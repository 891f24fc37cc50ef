"""Innocent, though it looks like JIT107.

What makes it right: name replaced in the builtins.
"""

import builtins

import jax
import jax.numpy as jnp

_range = builtins.range


def tolerant_range(stop):
    return _range(3 if isinstance(stop, jax.core.Tracer) else stop)


builtins.range = tolerant_range


@jax.jit
def unrolled(n, x):
    for _ in range(n):
        x = x * 2
    return x


print(unrolled(3, jnp.ones(2)))
builtins.range = _range
