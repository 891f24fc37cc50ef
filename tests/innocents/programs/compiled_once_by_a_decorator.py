"""Innocent, though it looks like JIT303.

What makes it right: decorator that caches what a factory makes.
"""

import importlib

import jax
import jax.numpy as jnp

memoised = getattr(importlib.import_module("functools"), "lru_cache")


@memoised(maxsize=None)
def step_for(rate):
    return jax.jit(lambda p, g: p - rate * g)


def train(params, grads, turns):
    for _ in range(turns):
        params = step_for(0.1)(params, grads)
    return params


print(train(jnp.ones(2), jnp.ones(2), 4))
assert step_for(0.1)._cache_size() == 1
