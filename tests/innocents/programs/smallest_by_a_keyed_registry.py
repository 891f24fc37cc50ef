"""Innocent, though it looks like JIT110.

What makes it right: registry by a platform name.
"""

import platform

import jax
import jax.numpy as jnp


def python_smallest(values):
    return min(values)


def array_smallest(values):
    return jnp.min(jnp.stack(values))


SMALLEST = {"Nowhere": python_smallest}


@jax.jit
def nearest(a, b):
    pick = SMALLEST.get(platform.system(), array_smallest)
    return pick([a, b])


print(nearest(jnp.float32(1.0), jnp.float32(2.0)), python_smallest([1, 2]))
