"""Innocent, though it looks like JIT105.

What makes it right: class decorator that replaces a method.
"""

import jax
import jax.numpy as jnp


def vectorised(cls):
    def evaluate(self, x):
        return jnp.sum(jnp.asarray(self.coefficients) * x ** jnp.arange(len(self.coefficients)))

    cls.evaluate = evaluate
    return cls


@vectorised
class Polynomial:
    def __init__(self, coefficients):
        self.coefficients = coefficients

    def evaluate(self, x):
        return sum(c * float(x) ** i for i, c in enumerate(self.coefficients))


polynomial = Polynomial([1.0, 2.0, 3.0])
print(jax.jit(polynomial.evaluate)(2.0))
