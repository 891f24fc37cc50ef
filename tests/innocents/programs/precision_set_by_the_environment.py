"""Innocent, though it looks like JIT403.

What makes it right: configuration from outside.
"""

import os

os.environ.setdefault("JAX_ENABLE_" + "X64", "1")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402


@jax.jit
def accumulate(x):
    return jnp.cumsum(x.astype(jnp.float64))


result = accumulate(jnp.ones(4))
print(result)
assert result.dtype == jnp.float64
