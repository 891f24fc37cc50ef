"""The Lorenz system with a step that adapts."""

import jax
import jax.numpy as jnp

SIGMA, RHO, BETA = 10.0, 28.0, 8.0 / 3.0


def field(state):
    x, y, z = state
    return jnp.array([SIGMA * (y - x), x * (RHO - z) - y, x * y - BETA * z])


def heun(state, h):
    first = field(state)
    second = field(state + h * first)
    return state + 0.5 * h * (first + second), jnp.linalg.norm(0.5 * h * (second - first))


@jax.jit
def advance(state, h, tolerance):
    new, error = heun(state, h)
    while error > tolerance:  # expect: JIT102 @error
        h = h / 2
        new, error = heun(state, h)
    return new, h


def ensemble(states, h):
    return jax.vmap(lambda s: advance(s, h, 1e-3))(states)
