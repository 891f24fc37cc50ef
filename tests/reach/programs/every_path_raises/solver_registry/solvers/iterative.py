"""Solvers that iterate."""

import jax.numpy as jnp

from solvers.registry import register


@register("richardson")
def richardson(a, b, rate=0.1):
    """As long as it takes."""
    x = jnp.zeros_like(b)
    residual = b - a @ x
    while jnp.linalg.norm(residual) > 1e-3:  # expect: JIT102 @residual
        x = x + rate * residual
        residual = b - a @ x
    return x


@register("jacobi")
def jacobi(a, b, rounds=8):
    diagonal = jnp.diag(a)
    x = b / diagonal
    for _ in range(rounds):
        x = (b - a @ x + diagonal * x) / diagonal
    return x
