"""Rays through lenses."""

import jax
import jax.numpy as jnp

from optics import lens


@jax.jit
def bend(surfaces, height):
    used = surfaces[: lens.count(surfaces)]  # expect: JIT107 @used
    return height * jnp.sum(used)


@jax.jit
def approximate(surfaces):
    return surfaces.sum() if lens.power(surfaces) < 2 else surfaces.sum(axis=1)
