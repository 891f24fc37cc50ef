"""Innocent, though it looks like JIT106.

What makes it right: metaclass that changes class attributes.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Constants(type):
    def __new__(mcs, name, bases, namespace):
        for key, value in namespace.items():
            if isinstance(value, np.ndarray):
                namespace[key] = jnp.asarray(value)
        return super().__new__(mcs, name, bases, namespace)


class RungeKutta(metaclass=Constants):
    nodes = np.array([0.0, 0.5, 0.5, 1.0])
    weights = np.array([1.0, 2.0, 2.0, 1.0]) / 6


@jax.jit
def stage(k, i):
    return k * RungeKutta.weights[i] + RungeKutta.nodes[i]


print(stage(jnp.ones(2), jnp.int32(2)))
