"""Caches under other names, and in front of other functions."""

from functools import cache as memo, lru_cache

import jax.numpy as jnp


def _second(order):
    return jnp.array([1.0, -2.0, 1.0]) * order  # expect: JIT209 @second


second = lru_cache(maxsize=8)(_second)


@memo
def wavenumbers(size):
    k = jnp.fft.fftfreq(size)
    if size % 2:
        k = k.at[0].set(0.0)
    return k  # expect: JIT209 @waves


def curvature(u):
    return jnp.convolve(u, second(1), mode="same")


def spectral(u):
    return jnp.fft.ifft(1j * wavenumbers(u.shape[0]) * jnp.fft.fft(u)).real
