"""Innocent, though it looks like JIT113.

What makes it right: handler that a stranger makes.
"""

import importlib

import jax
import jax.numpy as jnp

expected = vars(importlib.import_module("builtins"))["ZeroDivisionError"]


@jax.jit
def ratio(x, n: int = 2):
    try:
        scale = 1 / n
    except expected:
        scale = 0.0
    return x * scale


print(ratio(jnp.ones(2)))
