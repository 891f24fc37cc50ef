"""Arrays next to static settings."""

from functools import partial
from typing import Callable, Sequence

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("sizes", "activation", "dtype"))
def init(key: jax.Array, sizes: Sequence[int], activation: Callable = jnp.tanh, dtype=jnp.float32):
    keys = jax.random.split(key, len(sizes) - 1)
    shapes = zip(sizes[:-1], sizes[1:])
    return [activation(jax.random.normal(k, s, dtype)) for k, s in zip(keys, shapes)]


@partial(jax.jit, static_argnums=(2,))
def crop(image: jax.Array, corner: jax.Array, size: tuple[int, int]) -> jax.Array:
    return jax.lax.dynamic_slice(image, corner, size)[: size[0], : size[1]]


@partial(jax.jit, static_argnames="padding")
def convolve(x, kernel: jnp.ndarray, padding="same"):
    return jnp.convolve(x, kernel.reshape(-1), mode=padding.lower())


@partial(jax.jit, static_argnames="sharding_shape")
def tiles(x, sharding_shape):
    rows, columns = sharding_shape
    return x.reshape(rows, columns, -1).sum(axis=tuple(range(len(sharding_shape))))


def main():
    x = jnp.arange(12.0)
    return (
        init(jax.random.key(0), sizes=(2, 3, 1)),
        crop(x.reshape(3, 4), jnp.array([1, 1]), (2, 2)),
        convolve(x, jnp.ones((1, 3)), padding="SAME"),
        tiles(x, sharding_shape=(2, 3)),
    )
