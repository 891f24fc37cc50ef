"""Innocent, though it looks like JIT305.

What makes it right: __wrapped__.
"""

import functools

import jax
import jax.numpy as jnp


def retried(function):
    @functools.wraps(function)
    def wrapper(x, attempts=1):
        return function(x)

    del wrapper.__wrapped__
    return wrapper


@functools.partial(jax.jit, static_argnames="attempts")
@retried
def fetch(x):
    return x * 2


print(fetch(jnp.ones(2), attempts=3))
