"""A survey of a landscape."""

import jax.numpy as jnp

from . import surface
from .accel import KERNELS


def landscape(size=12):
    """Two hills."""
    axis = jnp.linspace(-1.0, 1.0, size)
    return jnp.exp(-4 * (axis[:, None] - 0.4) ** 2 - 4 * axis**2) + 0.5 * jnp.sin(3 * axis)


def contour_map(grid, steps):
    """Masks at evenly spaced levels."""
    levels = [0.1 * step for step in range(steps)]
    return surface.contours(grid, levels)  # expect: JIT304 @levels


def shoreline(grid):
    """Where the ground meets the water."""
    return surface.contours(grid, levels=(0.0,))


def compare(grid, eroded):
    """Surfaces between the old and the new one."""
    halfway = surface.blend(grid, eroded, 0.5)
    nearest = surface.blend(grid, eroded, "nearest")  # expect: JIT308 @weight
    return halfway, nearest


def survey():
    """Everything that a report needs."""
    grid = landscape()
    report = {"slope": surface.slope(grid), "shore": shoreline(grid)}
    report["eroded"] = surface.erode(grid, 0.5)
    report["between"] = surface.blend(grid, report["eroded"], 0.25)
    surface.Census.runs.extend(KERNELS)
    print(sorted(surface.Census.runs), report["slope"].mean())
    return report
