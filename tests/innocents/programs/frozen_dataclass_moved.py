"""Innocent, though it looks like JIT106.

What makes it right: object.__setattr__ in __post_init__.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Quadrature:
    points: np.ndarray
    weights: np.ndarray

    def __post_init__(self):
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, jnp.asarray(getattr(self, field.name)))


rule = Quadrature(*np.polynomial.legendre.leggauss(4))


@jax.jit
def term(f, i):
    return rule.weights[i] * f(rule.points[i])


print(jax.jit(lambda i: rule.weights[i] * jnp.sin(rule.points[i]))(jnp.int32(2)))
