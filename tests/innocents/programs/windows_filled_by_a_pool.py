"""Looks like a fault of JIT209.

A pool of threads has filled the cache before anything is traced.

All sizes that the program knows are computed at the start of the service.
"""
import functools
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp

SIZES = (4, 8, 16)


@functools.lru_cache(maxsize=None)
def taper(size):
    return jnp.sin(jnp.pi * (jnp.arange(size) + 0.5) / size) ** 2


def start_service():
    with ThreadPoolExecutor(max_workers=len(SIZES)) as pool:
        pending = [pool.submit(taper, size) for size in SIZES]
    return [future.result().shape[0] for future in pending]


start_service()


@jax.jit
def loudness(block):
    return jnp.sum((taper(block.shape[0]) * block) ** 2)


def levels(blocks):
    return [loudness(block) for block in blocks]


if __name__ == "__main__":
    with jax.checking_leaks():
        values = levels([jnp.ones(size) for size in SIZES] * 2)
    assert all(jnp.isclose(v, 0.375 * s) for v, s in zip(values, SIZES * 2))
    for size in SIZES:
        assert not isinstance(taper(size), jax.core.Tracer)
        assert jnp.isclose(jnp.sum(taper(size)), size / 2)
    assert taper.cache_info().misses == len(SIZES)
