"""Caches that keep no tracers."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np


@functools.lru_cache
def hann(size):
    """Made by NumPy."""
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)


@functools.cache
def rotation(size):
    """Made by JAX, but not staged."""
    with jax.ensure_compile_time_eval():
        return jnp.exp(2j * jnp.pi * jnp.arange(size) / size)


@functools.cache
def binomials(degree):
    return tuple(math.comb(degree, k) for k in range(degree + 1))


@functools.lru_cache
def blocks(size):
    return jnp.eye(size).at[0].set(1.0)


@functools.cache
def compiled_power(power):
    return jax.jit(lambda x: x**power)


class Grid:
    def __init__(self, size):
        self.size = size

    @functools.cached_property
    def points(self):
        return np.linspace(0.0, 1.0, self.size)


EYE = blocks(4)
grid = Grid(4)


@jax.jit
def first(x):
    return x * hann(4) + blocks(4) @ x + grid.points


@jax.jit
def second(x):
    return x / (1 + hann(4)) + blocks(4)[0] + jnp.abs(rotation(4)) + binomials(3)[1] - grid.points


def run(x):
    return first(x), second(x), first(x[:, None] * x), compiled_power(2)(x), compiled_power(2)(x)
