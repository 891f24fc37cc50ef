"""Innocent, though it looks like JIT304.

What makes it right: metaclass that makes hashable.
"""

import functools

import jax
import jax.numpy as jnp


class ByValue(type):
    def __new__(mcs, name, bases, namespace):
        namespace["__hash__"] = lambda self: hash(tuple(sorted(self.__dict__.items())))
        return super().__new__(mcs, name, bases, namespace)


class Options(metaclass=ByValue):
    def __init__(self, order):
        self.order = order

    def __eq__(self, other):
        return vars(self) == vars(other)


@functools.partial(jax.jit, static_argnums=1)
def power(x, options):
    return x**options.order


print(power(jnp.ones(2), Options(2)), power(jnp.ones(2), Options(2)))
assert power._cache_size() == 1
