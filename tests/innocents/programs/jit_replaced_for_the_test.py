"""Innocent, though it looks like JIT101.

What makes it right: jit replaced.
"""

import jax
import jax.numpy as jnp


def eager(function=None, **options):
    return function if function is not None else eager


setattr(jax, "jit", eager)


@jax.jit
def step(x):
    if x.sum() > 0:
        return x - 1
    return x


print(step(jnp.ones(2)))
