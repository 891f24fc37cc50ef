"""Innocent, though it looks like JIT106.

What makes it right: class decorator.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def device_arrays(*names):
    def decorate(cls):
        original = cls.__init__

        @functools.wraps(original)
        def initialise(self, *args, **kwargs):
            original(self, *args, **kwargs)
            for name in names:
                setattr(self, name, jnp.asarray(getattr(self, name)))

        cls.__init__ = initialise
        return cls

    return decorate


@device_arrays("edges")
class Histogram:
    def __init__(self, low, high, bins):
        self.bins = bins
        self.edges = np.linspace(low, high, bins + 1)


histogram = Histogram(0.0, 1.0, 10)


@jax.jit
def left_edge(i):
    return histogram.edges[i]


print(left_edge(jnp.int32(4)))
