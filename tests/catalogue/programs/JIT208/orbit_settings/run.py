"""Compare step sizes, then add drag."""

import jax.numpy as jnp

import settings
from physics import kick_drift


def orbit(steps=4):
    position, velocity = jnp.array([1.0, 0.0]), jnp.array([0.0, 1.0])
    for _ in range(steps):
        position, velocity = kick_drift(position, velocity)
    return position


def compare_steps():
    ends = []
    for dt in (0.05, 0.2):
        settings.DT = dt
        ends.append(orbit())
    return ends


def with_drag():
    settings.DAMPING = 0.0
    free = orbit()
    settings.DAMPING = 0.7
    dragged = orbit()
    return free, dragged


if __name__ == "__main__":
    print(compare_steps())
    print(with_drag())
