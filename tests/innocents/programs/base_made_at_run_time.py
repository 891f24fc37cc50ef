"""Innocent, though it looks like JIT106.

What makes it right: base class that nobody knows.
"""

import importlib

import jax
import jax.numpy as jnp
import numpy as np

namespace = importlib.import_module("types").SimpleNamespace
MIXINS = {
    "device": type(
        "DeviceMixin",
        (),
        {"__setattr__": lambda self, n, v: object.__setattr__(self, n, jnp.asarray(v))},
    )
}
Base = MIXINS.get("device", namespace)


class Topography(Base):
    def __init__(self, n):
        self.depth = np.linspace(0.0, 5.0, n)


sea = Topography(20)


@jax.jit
def depth(i):
    return sea.depth[i]


print(depth(jnp.int32(3)))
