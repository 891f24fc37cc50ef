"""Looks like a fault of JIT210.

A decorator class makes the generator begin anew at every `iter()`.

Each trace walks through all layers, whatever was traced before.
"""
import functools

import jax
import jax.numpy as jnp


class Restartable:
    def __init__(self, make):
        self.make = make

    def __iter__(self):
        return self.make()


def restartable(generator):
    @functools.wraps(generator)
    def bound(*args):
        return Restartable(functools.partial(generator, *args))

    return bound


@restartable
def dilations(depth):
    size = 1
    for _ in range(depth):
        yield size
        size *= 2


DILATIONS = dilations(3)


@jax.jit
def receptive(signal):
    for size in DILATIONS:
        signal = signal + 0.5 * jnp.roll(signal, size)
    return signal


if __name__ == "__main__":
    for length in (8, 16, 32):
        impulse = jnp.zeros(length).at[0].set(1.0)
        response = receptive(impulse)
        assert jnp.isclose(response.sum(), 1.5**3), length
        assert int((response > 0).sum()) == 8
    assert receptive._cache_size() == 3
