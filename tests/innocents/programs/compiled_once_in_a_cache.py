"""Innocent, though it looks like JIT303.

What makes it right: dict that keeps compiled functions.
"""

import jax
import jax.numpy as jnp


class Compiler:
    def __init__(self):
        self._programs = {}

    def __getitem__(self, order):
        if order not in self._programs:
            self._programs[order] = jax.jit(lambda x: x**order)
        return self._programs[order]


compiler = Compiler()


def power(x, order):
    return compiler[order](x)


total = sum(float(power(jnp.float32(k), 2)) for k in range(5))
print(total, len(compiler._programs))
assert len(compiler._programs) == 1
