"""Caches that are not JAX's."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.lru_cache
def grid(size):
    return np.linspace(0, 1, size)


class Memo(dict):
    def clear_cache(self):
        self.clear()


memo = Memo()


@jax.jit
def energy(x, points):
    return jnp.sum(jnp.sin(x * points))


def scan_sizes(sizes):
    totals = []
    for size in sizes:
        memo[size] = grid(size)
        totals.append(energy(2.0, memo[size][:3]))
        grid.cache_clear()
        memo.clear_cache()
    return totals
