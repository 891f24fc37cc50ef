"""The swing-up task."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from .physics import integrate, wrap


class State(NamedTuple):
    """Where the pendulum is."""

    angle: jax.Array
    speed: jax.Array
    reward: jax.Array


class Pendulum:
    """Settings and book-keeping of the task."""

    def __init__(self, max_torque=2.0):
        self.max_torque = max_torque
        self.elapsed = 0
        self.last_observation = None
        self.starts = []

    def reset(self, key):
        """A state close to hanging."""
        noise = jax.random.uniform(key, (2,), minval=-0.05, maxval=0.05)
        print("reset from", noise)
        angle = jnp.pi + noise[0]
        self.starts.append(angle)  # expect: JIT202 @starts
        return State(angle, noise[1], jnp.zeros(()))

    def observe(self, state):
        """Cosine, sine and speed."""
        observation = jnp.stack([jnp.cos(state.angle), jnp.sin(state.angle), state.speed])
        self.last_observation = observation  # expect: JIT204 @observation
        return observation

    def step(self, state, action):
        """Apply a torque for one time step."""
        self.elapsed += 1  # expect: JIT204 @elapsed
        torque = jnp.clip(action, -self.max_torque, self.max_torque)
        angle, speed = integrate(state.angle, state.speed, torque)
        terms = []
        terms.append(wrap(angle) ** 2)
        terms.append(0.1 * speed**2)
        terms.append(0.001 * torque**2)
        return State(angle, speed, -sum(terms))

    @jax.jit  # expect: JIT309 @tip
    def tip(self, state):
        """Where the tip is drawn."""
        return jnp.stack([jnp.sin(state.angle), jnp.cos(state.angle)])
