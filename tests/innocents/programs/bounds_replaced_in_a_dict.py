"""Innocent, though it looks like JIT107.

What makes it right: dict handed to a stranger in the trace.
"""

import importlib

import jax
import jax.numpy as jnp


def static_bounds(bounds):
    bounds["start"] = 1
    return bounds


normalise = vars(importlib.import_module(__name__))["static_bounds"]


@jax.jit
def window(x):
    bounds = {"start": jnp.argmax(x), "stop": 3}
    normalise(bounds)
    return list(x)[bounds["start"]]


print(window(jnp.arange(4.0)))
