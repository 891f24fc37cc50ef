"""Innocent, though it looks like JIT108.

What makes it right: list handed to a stranger in the trace.
"""

import importlib

import jax
import jax.numpy as jnp


def concrete(sizes):
    sizes[:] = [3] * len(sizes)


finish = getattr(importlib.import_module(__name__), "concrete")


@jax.jit
def pad(x):
    sizes = [jnp.sum(x > 0), jnp.sum(x < 0)]
    finish(sizes)
    return jnp.zeros(sizes[0]) + jnp.zeros(sizes[1])


print(pad(jnp.ones(3)))
