"""Quadrature on the sphere."""

import functools

import jax
import jax.numpy as jnp


@functools.lru_cache(maxsize=None)
def nodes(count):
    """Chebyshev points, which need not be computed again and again."""
    angles = (jnp.arange(count) + 0.5) * jnp.pi / count
    return jnp.cos(angles)  # expect: JIT209 @nodes


@functools.cache
def weights(count):
    if count == 1:
        return jnp.full(1, 2.0)  # expect: JIT209 @single
    k = jnp.arange(1, count // 2 + 1)
    angles = (jnp.arange(count) + 0.5) * jnp.pi / count
    series = (jnp.cos(2 * k[:, None] * angles) / (4 * k[:, None] ** 2 - 1)).sum(0)
    return 2.0 / count * (1 - 2 * series)  # expect: JIT209 @many


@jax.jit
def integrate_square(scale):
    return jnp.sum(weights(4) * (scale * nodes(4)) ** 2)


@jax.jit
def integrate_exp(scale):
    return jnp.sum(weights(4) * jnp.exp(scale * nodes(4)))


@jax.jit
def midpoint(scale):
    return weights(1) * jnp.exp(scale)
