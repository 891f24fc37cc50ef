"""Slopes, contours and erosion of height grids."""

import logging
import os

import jax
import jax.numpy as jnp

from .accel import checked_kernel, kernel

logger = logging.getLogger(__name__)
_pending = {"erode": "not run yet", "flow": "not run yet"}


class Census:
    """What has been computed."""

    tiles = 0
    runs = []


def vertical_scale():
    """Metres per unit of height."""
    return float(os.environ.get("TERRAIN_SCALE", "1.0"))  # expect: JIT207 @scale


def gradients(grid):
    """Differences along both axes."""
    heights = vertical_scale() * grid
    return jnp.gradient(heights)


@checked_kernel
def slope(grid):
    """Steepness of every cell."""
    Census.tiles += 1  # expect: JIT204 @tiles
    down, right = gradients(grid)
    return jnp.hypot(down, right)


@kernel(static=("levels",))
def contours(grid, levels):
    """For every level, which cells reach it."""
    masks = []
    for level in levels:
        masks.append(grid >= level)
    return jnp.stack(masks)


def _mark_done(name):
    del _pending[name]  # expect: JIT202 @done


@checked_kernel
def erode(grid, rate):
    """Move material downhill until it rests."""
    _mark_done("erode")

    def wash(_, heights):
        smooth = (jnp.roll(heights, 1, 0) + jnp.roll(heights, -1, 0)) / 2
        return heights + rate * (smooth - heights)

    rested = jax.lax.fori_loop(0, 10, wash, grid)
    residual = jnp.max(jnp.abs(rested - grid))
    logger.info("moved at most %s", residual)  # expect: JIT206 @residual
    return rested


@kernel
def blend(first, second, weight):
    """Mean of two surfaces."""
    Census.runs.append("blend")  # expect: JIT202 @runs
    return weight * first + (1 - weight) * second
