"""Environments: states are plain records, an environment knows its constants."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class PoleState(NamedTuple):
    angle: jax.Array
    speed: jax.Array
    t: jax.Array


class Pole:
    """A pole that falls over."""

    gravity = 9.8
    limit = 0.5
    max_steps = 20

    def __init__(self, dt=0.02):
        self.dt = dt

    def reset(self, key):
        angle = 0.05 * jax.random.normal(key)
        return PoleState(angle, jnp.zeros(()), jnp.zeros((), jnp.int32))

    def balance(self, state, force):
        """One step, and whether the pole still stands."""
        speed = state.speed + self.dt * (self.gravity * jnp.sin(state.angle) + force)
        angle = state.angle + self.dt * speed
        after = PoleState(angle, speed, state.t + 1)
        if abs(angle) > self.limit:  # expect: JIT101 @fallen
            return state, jnp.zeros(())
        return after, jnp.cos(angle)

    def expired(self, state):
        return state.t >= self.max_steps


class CountingPole(Pole):
    """Remembers how long each episode was."""

    def __init__(self, dt=0.02):
        super().__init__(dt)
        self.last_t = None

    def balance(self, state, force):
        self.last_t = state.t  # expect: JIT204 @last
        return PoleState(state.angle, state.speed, state.t + 1), jnp.cos(state.angle)
