"""Innocent, though it looks like JIT306.

What makes it right: argument quantised by a descriptor.
"""

import functools

import jax
import jax.numpy as jnp


class Bucketed:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        setattr(obj, self.name, 8 * ((value + 7) // 8))


class Request:
    size = Bucketed()

    def __init__(self, size):
        self.size = size


@functools.partial(jax.jit, static_argnames="size")
def serve(x, size):
    return jnp.zeros(size) + x


for length in range(1, 8):
    serve(1.0, size=Request(length).size)
assert serve._cache_size() == 1
