"""A cart with a pole, as a gymnasium of its own."""

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class State:
    x: jax.Array
    theta: jax.Array
    velocity: jax.Array
    time: int = 0


@struct.dataclass
class Config:
    gravity: float = 9.8
    length: float = 0.5
    limit: float = 2.4


def dynamics(config, state, force):
    temp = force + config.length * state.velocity**2 * jnp.sin(state.theta)
    accel = config.gravity * jnp.sin(state.theta) - jnp.cos(state.theta) * temp
    return state.replace(
        x=state.x + 0.02 * state.velocity,
        velocity=state.velocity + 0.02 * accel,
        time=state.time + 1,
    )


@jax.jit
def step(config, state, action):
    force = 10.0 if action == 1 else -10.0  # expect: JIT101 @action
    state = dynamics(config, state, force)
    done = abs(state.x) > config.limit or state.time > 200  # expect: JIT104 @done
    return state, done
