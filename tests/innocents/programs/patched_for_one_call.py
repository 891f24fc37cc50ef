"""Innocent, though it looks like JIT204.

What makes it right: mock.patch.object.
"""

from unittest import mock

import jax
import jax.numpy as jnp


class Solver:
    tolerance = 1e-3

    def residual(self, x):
        return jnp.maximum(jnp.abs(x) - self.tolerance, 0)


solver = Solver()


@jax.jit
def residual(x, tolerance):
    with mock.patch.object(solver, "tolerance", tolerance):
        return solver.residual(x)


print(residual(jnp.ones(2), 0.25))
assert solver.tolerance == 1e-3
