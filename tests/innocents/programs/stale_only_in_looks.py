"""Innocent, though it looks like JIT208.

What makes it right: cache cleared by a stranger.
"""

import importlib

import jax
import jax.numpy as jnp

temperature = 1.0


@jax.jit
def soften(logits):
    return logits / temperature


def set_temperature(value):
    global temperature
    temperature = value
    getattr(importlib.import_module("jax"), "clear_" + "caches")()


print(soften(jnp.ones(2)))
set_temperature(2.0)
result = soften(jnp.ones(2))
print(result)
assert float(result[0]) == 0.5
