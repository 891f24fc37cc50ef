"""A random walk that takes its keys from a stream."""

import itertools

import jax
import jax.numpy as jnp


def key_stream(seed):
    key = jax.random.key(seed)
    while True:
        key, use = jax.random.split(key)
        yield use


class Walker:
    def __init__(self, seed):
        keys = key_stream(seed)
        counter = itertools.count(1)

        @jax.jit
        def move(x):
            return x + jax.random.normal(next(keys), x.shape)  # expect: JIT210 @keys

        @jax.jit
        def shrink(x):
            return x / next(counter)  # expect: JIT210 @counter

        self.move = move
        self.shrink = shrink


def moved(steps=3):
    walker = Walker(0)
    x = jnp.zeros(2)
    path = []
    for _ in range(steps):
        x = walker.move(x)
        path.append(x)
    return path


def shrunk(steps=3):
    walker = Walker(0)
    x = jnp.ones(2)
    for _ in range(steps):
        x = walker.shrink(x)
    return x
