"""Somebody has switched it off again."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", False)


def total(x):
    return jnp.sum(x, dtype=jnp.float64)  # expect: JIT403 @sum


def counts(x):
    return jnp.bincount(x, length=4).astype("int64")  # expect: JIT403 @counts
