"""Triangles, edges and neighbours; all of it known before anything is compiled."""

import functools

import jax.numpy as jnp
import numpy as np

TRIANGLES = ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1))


def vertices():
    ring = [(np.cos(a), np.sin(a), 0.0) for a in np.arange(4) * np.pi / 2]
    return jnp.array([(0.0, 0.0, 1.0), *ring], dtype=jnp.float32)


@functools.lru_cache(maxsize=None)
def edges(triangles):
    """All edges once, as a constant array."""
    found = set()
    for a, b, c in triangles:
        for pair in ((a, b), (b, c), (c, a)):
            found.add(tuple(sorted(pair)))
    return np.array(sorted(found))


def adjacency(triangles, count):
    matrix = np.zeros((count, count), dtype=np.float32)
    for left, right in edges(triangles):
        matrix[left, right] = 1.0
        matrix[right, left] = 1.0
    return matrix


def areas(points, triangles):
    corners = points[np.array(triangles)]
    normal = jnp.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return 0.5 * jnp.linalg.norm(normal, axis=-1)
