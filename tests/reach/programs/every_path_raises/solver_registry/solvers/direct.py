"""Solvers that factorise."""

import jax.numpy as jnp

from solvers.registry import register


@register("cholesky")
def cholesky(a, b):
    factor = jnp.linalg.cholesky(a)
    return jnp.linalg.solve(factor.T, jnp.linalg.solve(factor, b))


@register("lu")
def lu(a, b):
    """Refuses what is singular."""
    determinant = jnp.linalg.det(a)
    assert determinant != 0.0, "singular matrix"  # expect: JIT103 @singular
    return jnp.linalg.solve(a, b)
