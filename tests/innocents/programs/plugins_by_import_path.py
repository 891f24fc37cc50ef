"""Innocent, though it looks like JIT106.

What makes it right: registry of import paths.
"""

import importlib

import jax
import jax.numpy as jnp
import numpy as np


def norm(x):
    return np.linalg.norm(np.asarray(x).ravel().tolist())


FUNCTIONS = {"host": norm}


def resolve(path):
    if path in FUNCTIONS:
        return FUNCTIONS[path]
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def compile_metric(path):
    return jax.jit(resolve(path))


def report(paths, x):
    return [compile_metric(path)(x) for path in paths]


print(report(["jax.numpy.linalg.norm", "jax.numpy.sum"], jnp.ones(3)), norm(jnp.ones(2)))
