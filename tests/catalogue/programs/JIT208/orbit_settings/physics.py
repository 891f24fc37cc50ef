import jax
import jax.numpy as jnp

import settings


def acceleration(position):
    return -settings.GRAVITY * position / jnp.linalg.norm(position) ** 3


@jax.jit
def kick_drift(position, velocity):
    dt = settings.DT  # expect: JIT208 @dt
    velocity = velocity + dt * (
        acceleration(position)
        - settings.DAMPING * velocity  # expect: JIT208 @damping
    )
    return position + dt * velocity, velocity
