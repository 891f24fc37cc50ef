"""Innocent, though it looks like JIT401.

What makes it right: decorator that waits.
"""

import importlib
import time

import jax
import jax.numpy as jnp


def waiting(function):
    return lambda *args: jax.block_until_ready(function(*args))


wrap = getattr(importlib.import_module(__name__), "waiting")
step = wrap(jax.jit(lambda x: x @ x))
x = jnp.ones((8, 8))
step(x)
start = time.perf_counter()
y = step(x)
print(y.shape, time.perf_counter() - start >= 0)
