"""A linear solver."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def logged(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        return function(*args, **kwargs)

    return run


@functools.partial(jax.jit, static_argnames="rounds")
def refine(a, b, x, rounds=2):
    """Iterative refinement."""
    for _ in range(rounds):
        residual = b - a @ x
        if jnp.abs(residual).max() < 1e-6:  # expect: JIT101 @residual
            break
        x = x + jnp.linalg.solve(a, residual)
    return x


@jax.jit
@logged
def condition(a):
    values = jnp.linalg.svd(a, compute_uv=False)
    return np.log(values[0] / values[-1])  # expect: JIT106 @log


@jax.jit
@logged
def solve(a, b):
    a, b = jnp.asarray(a), jnp.asarray(b)
    return jnp.linalg.solve(a, b)
