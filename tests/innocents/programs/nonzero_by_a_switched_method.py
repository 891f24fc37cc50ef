"""Innocent, though it looks like JIT109.

What makes it right: method switched by a flag file.
"""

import pathlib

import jax
import jax.numpy as jnp


def dynamic(mask):
    return jnp.nonzero(mask)[0]


def padded(mask):
    return jnp.nonzero(mask, size=mask.shape[0])[0]


IMPLEMENTATIONS = (padded, dynamic)
choice = IMPLEMENTATIONS[int(pathlib.Path("use_dynamic_shapes").exists())]


@jax.jit
def indices(x):
    return choice(x > 0)


print(indices(jnp.array([1.0, -1.0])), dynamic(jnp.array([True])))
