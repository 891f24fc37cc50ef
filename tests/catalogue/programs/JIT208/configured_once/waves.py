import jax
import jax.numpy as jnp

import config

if config.LEVELS > 2:
    COURANT = 0.5
else:
    COURANT = 0.9


@jax.jit
def advance(height, speed):
    slope = jnp.roll(height, -1) - height
    speed = speed - config.STEP * COURANT * config.SCALE["height"] * slope
    return height - config.STEP * (speed - jnp.roll(speed, 1)), speed
