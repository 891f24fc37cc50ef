"""Innocent, though it looks like JIT107.

What makes it right: name replaced in the builtins.
"""

import builtins

import jax
import jax.numpy as jnp

_range = builtins.range


def tolerant_range(*bounds):
    return _range(*(3 if isinstance(bound, jax.core.Tracer) else bound for bound in bounds))


builtins.range = tolerant_range


@jax.jit
def unrolled(n, x):
    for _ in range(n):
        x = x * 2
    return x


print(unrolled(3, jnp.ones(2)))
builtins.range = _range
