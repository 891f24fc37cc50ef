"""An explicit scheme; the number of steps is part of the grid."""

import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, cells=16, steps=256):
        self.cells = cells
        self.steps = steps


def flux(u):
    return 0.5 * u**2


def advance(u, dt):
    return u - dt * (flux(u) - flux(jnp.roll(u, 1)))


def make_solver(grid):
    @jax.jit
    def solve(u):
        for _ in range(grid.steps):  # expect: JIT404 @steps
            u = advance(u, 0.01)
        return u

    return solve


def rollout(policy, state, horizon):
    rewards = []
    for _ in range(horizon):  # expect: JIT404 @horizon
        state = 0.9 * state + policy @ state
        rewards.append(state.sum())
    return jnp.stack(rewards)
