"""Equations of the pendulum."""

import random

import jax.numpy as jnp

GRAVITY = 9.8
DT = 0.05


def wrap(angle):
    """The same angle between -pi and pi."""
    return (angle + jnp.pi) % (2 * jnp.pi) - jnp.pi


def gust(strength):
    """A push by the wind."""
    return strength * random.uniform(-1.0, 1.0)  # expect: JIT207 @gust


def integrate(angle, speed, torque):
    """One semi-implicit Euler step."""
    speed = speed + DT * (1.5 * GRAVITY * jnp.sin(angle) + 3.0 * (torque + gust(0.1)))
    return angle + DT * speed, jnp.clip(speed, -8.0, 8.0)
