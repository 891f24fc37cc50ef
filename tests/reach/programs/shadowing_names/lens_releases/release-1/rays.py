"""Rays through lenses."""

import jax
import jax.numpy as jnp

from optics import lens


@jax.jit
def bend(surfaces, height):
    if lens.count(surfaces) > 1:
        height = 0.5 * height
    return height * lens.power(surfaces)


@jax.jit
def diverges(surfaces):
    """Whether a lens spreads light."""
    return 1.0 if lens.power(surfaces) < 0 else 0.0  # expect: JIT101 @spreads
