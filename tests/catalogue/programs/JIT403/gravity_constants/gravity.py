"""Precise, it is hoped."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

MASSES = jnp.array([1.0, 3e-6, 9.5e-4], dtype=jnp.float64)  # expect: JIT403 @masses
G = jnp.float64(6.6743e-11)  # expect: JIT403 @scalar


def start(count):
    return jnp.zeros((count, 3), dtype="float64")  # expect: JIT403 @string


@jax.jit
def energy(positions):
    positions = positions.astype(jnp.float64)  # expect: JIT403 @astype
    return -jnp.sum(MASSES / jnp.linalg.norm(positions + 1.0, axis=1))


def grid(count):
    return jnp.linspace(0.0, 1.0, count, dtype=np.float64)  # expect: JIT403 @numpy


def spectrum(signal):
    return jnp.fft.fft(jnp.asarray(signal, jnp.complex128))  # expect: JIT403 @complex


def perturbation(key):
    return jax.random.normal(key, (3,), dtype=jnp.float64)  # expect: JIT403 @random


def ticks(x):
    return lax.convert_element_type(x, jnp.int64)  # expect: JIT403 @convert


def table():
    return np.asarray([1.0, 2.0], dtype=np.float64).astype(np.float64)
