"""Innocent, though it looks like JIT402.

What makes it right: function warmed by a stranger.
"""

import importlib
import time

import jax
import jax.numpy as jnp


def warm(function, *args):
    jax.block_until_ready(function(*args))


harness = importlib.import_module(__name__)
solve = jax.jit(lambda m: jnp.linalg.inv(m))
m = jnp.eye(4)
getattr(harness, "warm")(solve, m)
start = time.perf_counter()
solve(m).block_until_ready()
print(time.perf_counter() - start >= 0)
