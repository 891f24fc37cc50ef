"""Kernels whose scale may be left out."""

import jax
import jax.numpy as jnp


def distances(x):
    return jnp.abs(x[:, None] - x[None, :])


@jax.jit
def gaussian(x, scale=None):
    d = distances(x)
    if scale is not None and scale > 0:  # expect: JIT101 @scale
        d = d / scale
    return jnp.exp(-0.5 * d**2)


@jax.jit
def laplace(x, scale=None):
    scale = 1.0 if scale is None else scale
    if scale <= 0:  # expect: JIT101 @positive
        raise ValueError("a scale is positive")
    return jnp.exp(-distances(x) / scale)


@jax.jit
def polynomial(x, degree=None, offset=None):
    """Products by repetition."""
    offset = offset if offset is not None else 1.0
    value = jnp.ones((x.size, x.size))
    if degree is not None:
        for _ in range(degree):  # expect: JIT107 @degree
            value = value * (x[:, None] * x[None, :] + offset)
    return value


@jax.jit
def nearest(x, count=None):
    """Only the nearest neighbours."""
    order = jnp.sort(distances(x), axis=1)
    if count is None:
        return order
    return order[:, :count]  # expect: JIT107 @count
