"""Flow of ice, for the course and for others."""

import jax
import jax.numpy as jnp


@jax.jit
def thickness_step(thickness, slope, dt):
    assert (thickness >= 0).all(), "ice has no negative thickness"  # expect: JIT103 @negative
    flux = thickness**3 * slope
    return thickness - dt * jnp.gradient(flux)


def melt(thickness, rate):
    if rate > 1.0:  # expect: JIT101 @rate
        rate = 1.0
    return thickness * (1.0 - rate)


@jax.jit
def season(thickness, rate):
    return melt(thickness, rate)
