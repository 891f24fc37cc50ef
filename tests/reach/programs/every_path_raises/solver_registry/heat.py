"""Implicit steps of the heat equation."""

from functools import partial

import jax
import jax.numpy as jnp

import solvers


def laplacian(n):
    return 2.0 * jnp.eye(n) - jnp.eye(n, k=1) - jnp.eye(n, k=-1)


@partial(jax.jit, static_argnames="method")
def step(field, dt, method="jacobi"):
    """One step with the chosen solver; too large a change is halved."""
    solve = solvers.get(method)
    matrix = jnp.eye(field.shape[0]) + dt * laplacian(field.shape[0])
    after = solve(matrix, field)
    return after


@jax.jit
def careful_step(field, dt):
    """A step that reports how far it went."""
    solve = solvers.get("cholesky")
    matrix = jnp.eye(field.shape[0]) + dt * laplacian(field.shape[0])
    after = solve(matrix, field)
    change = jnp.abs(after - field).max()
    print("moved by", change)  # expect: JIT201 @moved
    return after


if __name__ == "__main__":
    field = jnp.arange(4.0)
    for method in solvers.names():
        print(method, step(field, 0.1, method))
    print(careful_step(field, 0.1))
