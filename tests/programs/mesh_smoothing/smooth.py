"""Laplacian smoothing."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from .mesh import TRIANGLES, adjacency, areas, vertices

_laplacians = {}


def laplacian_of(points, triangles):
    """The pull of the neighbours on each vertex."""
    key = (points.shape, triangles)
    if key not in _laplacians:
        neighbours = jnp.asarray(adjacency(triangles, points.shape[0]))
        _laplacians[key] = neighbours / neighbours.sum(1, keepdims=True)  # expect: JIT202 @cached
    return _laplacians[key] @ points - points


def umbrella(points, triangles):
    neighbours = adjacency(triangles, points.shape[0])
    neighbours /= neighbours.sum(1, keepdims=True)
    return neighbours @ points - points


@partial(jax.jit, static_argnames="triangles")
def smooth(points, triangles, rate=0.5):
    return points + rate * laplacian_of(points, triangles)


@partial(jax.jit, static_argnums=(1, 2))
def smooth_pinned(points, triangles, pinned):
    """Smooth all but a few vertices."""
    moved = points + 0.5 * umbrella(points, triangles)
    for index in pinned:
        moved = moved.at[index].set(points[index])
    return moved


@jax.jit
def flattened(points):
    """Press the mesh into the plane."""
    points.at[:, 2].multiply(0.0)  # expect: JIT212 @pressed
    return points


@jax.jit
def lifted(points, height):
    return place(points, 2, height)


@jax.jit
def raised(points, height):
    return points.at[:, 2].set(height)


def place(points, axis, values):
    points[:, axis] = values  # expect: JIT205 @axis
    return points


@jax.jit
def quality(points, measure):
    sizes = measure(points, TRIANGLES)
    return sizes.min() / sizes.max()


def area_quality(points):
    return quality(points, areas)  # expect: JIT308 @measure


area_ratio = jax.jit(partial(areas, triangles=TRIANGLES))


def pin_tip(points):
    return smooth_pinned(points, TRIANGLES, {0})  # expect: JIT304 @tip


def pin_base(points):
    return smooth_pinned(points, TRIANGLES, (1, 2, 3, 4))


def main():
    points = vertices()
    for _ in range(3):
        points = pin_base(points)
    sizes = np.array(area_ratio(points))
    sizes[0] = 0.0
    print(sizes, smooth(points, TRIANGLES).shape)


if __name__ == "__main__":
    main()
