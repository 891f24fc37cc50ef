"""Innocent, though it looks like JIT308.

What makes it right: unknown wrapper around jit.
"""

import functools
import importlib

import jax
import jax.numpy as jnp


def smart_jit(function):
    names = [n for n, a in function.__annotations__.items() if a is str]
    return jax.jit(function, static_argnames=names)


compiled = getattr(importlib.import_module(__name__), "smart_jit")


@compiled
def reduce(x, how: str):
    return jnp.sum(x) if how == "sum" else jnp.max(x)


print(reduce(jnp.ones(3), how="sum"), functools.reduce(max, [1, 2]))
