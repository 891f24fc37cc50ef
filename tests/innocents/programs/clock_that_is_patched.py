"""Innocent, though it looks like JIT207.

What makes it right: monkeypatch of a library.
"""

import time

import jax
import jax.numpy as jnp


def traced_clock(counter=[0]):
    return jnp.float32(0.0)


def frozen_time(function):
    real = time.time
    time.time = traced_clock
    try:
        return function()
    finally:
        time.time = real


def stamp(x):
    return x + clock()


def clock():
    return jnp.float32(1.0)


print(frozen_time(lambda: jax.jit(stamp)(jnp.ones(2))))
