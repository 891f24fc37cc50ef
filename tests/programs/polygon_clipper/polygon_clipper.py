"""Soft areas of polygons, and gradients with respect to their corners."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.lru_cache(maxsize=None)
def compiled_area(corners):
    """The compiled area of polygons with so many corners."""
    following = np.roll(np.arange(corners), -1)

    def area(points):
        x, y = points[:, 0], points[:, 1]
        return 0.5 * jnp.abs((x * y[following] - x[following] * y).sum())

    return jax.jit(area)


def loud_perimeter(points):
    """The perimeter; says what it sees, as gradients call it anew each time."""
    sides = []
    for index in range(points.shape[0]):
        sides.append(jnp.linalg.norm(points[index] - points[index - 1]))
    print("sides", len(sides), sides[0])
    return sum(sides)


def half_plane(points, normal, offset, sharpness=8.0):
    """How far inside of a half plane each point is."""
    inside = jax.nn.sigmoid(sharpness * (points @ normal - offset))
    return inside


def clip(points, planes, trace=None):
    """Weights of the points after all planes; the trace is the caller's."""
    weight = jnp.ones(points.shape[0])
    for normal, offset in planes:
        weight = weight * half_plane(points, normal, offset)
        if trace is not None:
            trace.append(weight)
    return weight


@jax.jit
def clip_levels(points, planes):
    levels = []
    clip(points, planes, trace=levels)
    return jnp.stack(levels)


def regular(corners):
    angles = 2 * np.pi * np.arange(corners) / corners
    points = np.zeros((corners, 2))
    points[:, 0] = np.cos(angles)
    points[:, 1] = np.sin(angles)
    return jnp.asarray(points)


def main():
    sizes = {}
    for corners in (3, 4, 3, 4):
        sizes[corners] = float(compiled_area(corners)(regular(corners)))
    print(sizes)
    for _ in range(2):
        print(jax.grad(loud_perimeter)(regular(5)))
    planes = ((jnp.array([1.0, 0.0]), 0.2), (jnp.array([0.0, 1.0]), 0.0))
    print(clip_levels(regular(6), planes))


if __name__ == "__main__":
    main()
