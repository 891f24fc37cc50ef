"""Looks like a fault of JIT101.

The base constructor compiles `step` only for classes whose attribute `on_device` is true, and the grid world, whose step branches on its state, overrides it with false.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Environment:
    on_device = True

    def __init__(self, **options):
        self.options = {"time_limit": 50, **options}
        self._step = jax.jit(self.step) if self.on_device else self.step

    def initial(self):
        raise NotImplementedError

    def step(self, state, action):
        raise NotImplementedError

    def rollout(self, policy):
        state, total = self.initial(), 0.0
        for _ in range(self.options["time_limit"]):
            state, reward, done = self._step(state, policy(state))
            total += float(reward)
            if done:
                break
        return state, total


class Pendulum(Environment):
    def initial(self):
        return jnp.array([1.0, 0.0])

    def step(self, state, action):
        angle, speed = state
        speed = speed + 0.05 * (jnp.sin(angle) + action)
        angle = angle + 0.05 * speed
        return jnp.stack([angle, speed]), -jnp.square(angle), jnp.abs(angle) > 3.0


class GridWorld(Environment):
    on_device = False

    def initial(self):
        return np.array([0, 0])

    def step(self, state, action):
        moved = state + action
        if (moved < 0).any() or (moved > 3).any():
            return state, -1.0, False
        if moved.sum() == 6:
            return moved, 10.0, True
        return moved, -0.1, False


if __name__ == "__main__":
    grid, pendulum = GridWorld(time_limit=20), Pendulum(time_limit=10)
    moves = iter([np.array([-1, 0])] + [np.array([1, 0])] * 3 + [np.array([0, 1])] * 3)
    state, total = grid.rollout(lambda s: next(moves))
    assert state.tolist() == [3, 3]
    assert abs(total - (-1.0 - 0.5 + 10.0)) < 1e-9
    state, total = pendulum.rollout(lambda s: -s[0])
    assert np.isfinite(total) and total < 0
    assert pendulum._step._cache_size() == 1
