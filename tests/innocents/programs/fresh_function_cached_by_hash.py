"""Innocent, though it looks like JIT301.

What makes it right: functions that compare equal.
"""

import jax
import jax.numpy as jnp


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return x * self.factor


def _equal_by_value(cls):
    setattr(cls, "__eq__", lambda self, other: vars(self) == vars(other))
    setattr(cls, "__hash__", lambda self: hash(tuple(vars(self).items())))
    return cls


Scale = _equal_by_value(Scale)
count = 0
for _ in range(3):
    compiled = jax.jit(Scale(2.0))
    print(compiled(jnp.ones(2)))
