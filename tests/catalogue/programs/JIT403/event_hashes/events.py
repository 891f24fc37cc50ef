"""Events with long numbers."""

import jax
import jax.numpy as jnp

from config import DTYPE, SETTINGS


@jax.jit
def mix(values):
    state = jnp.uint64(1469598103)  # expect: JIT403 @uint
    return (state ^ values) * 16777619


def weights(count):
    return jnp.ones(count, DTYPE)  # expect: JIT403 @constant


def times(count):
    return jnp.arange(count, dtype=SETTINGS["dtype"])  # expect: JIT403 @settings


def like(x):
    return jnp.zeros_like(x, dtype=DTYPE)  # expect: JIT403 @like
