"""Innocent, though it looks like JIT101.

What makes it right: contextvars.
"""

import contextvars

import jax
import jax.numpy as jnp

precision = contextvars.ContextVar("precision", default="exact")


@jax.jit
def total(x):
    if precision.get() == "exact":
        return jnp.sum(x)
    return jnp.mean(x) * x.size


token = precision.set("fast")
print(total(jnp.ones(3)))
precision.reset(token)
