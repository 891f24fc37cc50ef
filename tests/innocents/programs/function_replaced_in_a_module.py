"""Innocent, though it looks like JIT106.

What makes it right: monkeypatch of a module.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np


def distance(a, b):
    return np.sqrt(((np.asarray(a) - np.asarray(b)) ** 2).sum())


def use_device():
    me = sys.modules[__name__]
    me.distance = lambda a, b: jnp.sqrt(jnp.sum((a - b) ** 2))


use_device()


@jax.jit
def spread(points):
    return distance(points[0], points[1])


print(spread(jnp.eye(3)))
