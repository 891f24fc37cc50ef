"""A few levels, each with a program of its own."""

from functools import partial

import jax
import jax.numpy as jnp

LEVELS = (4, 8, 16)


@partial(jax.jit, static_argnames=("size", "sweeps"))
def solve(u, size, sweeps=2):
    for _ in range(sweeps):
        u = 0.5 * (jnp.roll(u, 1) + jnp.roll(u, -1))
    return u / size


@jax.jit
def residual(u, step):
    return jnp.abs(u).max() / (step + 1)


def cascade(cycles=4):
    history = []
    for cycle in range(cycles):
        for size in LEVELS:
            history.append(residual(solve(jnp.ones(size), size=size), cycle))
    return history
