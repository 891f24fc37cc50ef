"""Results."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from roots.options import Options


class Outcome(NamedTuple):
    root: jax.Array
    residual: jax.Array
    turns: int | jax.Array = 0

    def good(self, options: Options):
        return jnp.abs(self.residual) < options.tolerance

    def demand(self, options):
        if not self.good(options):  # expect: JIT101 @demand
            raise ArithmeticError("no root")
        return self.root


@jax.jit
def polynomial_roots(coefficients):
    """All roots of a polynomial, highest power first."""
    return jnp.roots(coefficients)  # expect: JIT109 @roots
