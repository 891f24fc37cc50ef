"""Innocent, though it looks like JIT106.

What makes it right: container handed to a stranger.
"""

import importlib

import jax
import jax.numpy as jnp
import numpy as np

tables = {"sin": np.sin(np.linspace(0, 1, 9)), "cos": np.cos(np.linspace(0, 1, 9))}


def fill(backend, values):
    tree = importlib.import_module(f"{backend}.tree_util")
    mapped = tree.tree_map(jnp.asarray, values)
    getattr(values, "update")(mapped)


fill("jax", tables)


@jax.jit
def wave(i):
    return tables["sin"][i] + tables["cos"][i]


print(wave(jnp.int32(3)))
