"""Looks like a fault of JIT112.

Both branches come to the same: the test only makes arrays of plain numbers, and a tracer is one already.
"""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def rotate(points, angle):
    """Turn points about the origin; notebooks pass the angle as a number."""
    if isinstance(angle, (int, float)):
        angle = jnp.asarray(angle, points.dtype)
    angle = angle.astype(points.dtype)
    turn = jnp.stack([jnp.cos(angle), -jnp.sin(angle), jnp.sin(angle), jnp.cos(angle)])
    return points @ turn.reshape(2, 2).T


@jax.jit
def fade(image, strength):
    weight = jnp.float32(strength) if isinstance(strength, float) else strength
    return image * (1 - weight)


def thumbnails(points, image):
    return rotate(points, 0.5), rotate(points, 1), fade(image, 0.25)


if __name__ == "__main__":
    points, image = jnp.array([[1.0, 0.0], [0.0, 2.0]]), jnp.ones((2, 2))
    compiled = thumbnails(points, image)
    with jax.disable_jit():
        eager = thumbnails(points, image)
    for one, other in zip(compiled, eager):
        assert one.dtype == other.dtype and np.allclose(one, other, atol=1e-6)
    assert np.allclose(compiled[1][0], [np.cos(1), np.sin(1)], atol=1e-6)
