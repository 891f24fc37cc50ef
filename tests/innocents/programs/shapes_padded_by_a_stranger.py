"""Innocent, though it looks like JIT307.

What makes it right: shape made equal by a stranger.
"""

import importlib

import jax
import jax.numpy as jnp


def padded(x, size=16):
    return jnp.pad(x, (0, size - x.shape[0]))


fit = getattr(importlib.import_module(__name__), "padded")


@jax.jit
def norm(x):
    return jnp.sqrt(jnp.sum(x**2))


values = jnp.arange(16.0)
for length in range(1, 6):
    print(norm(fit(values[:length])))
assert norm._cache_size() == 1
