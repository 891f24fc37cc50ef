"""Innocent, though it looks like JIT104.

What makes it right: metaclass with operators.
"""

import jax
import jax.numpy as jnp


class Comparable(type):
    def __new__(mcs, name, bases, namespace):
        namespace["__lt__"] = lambda self, other: self.rank < other.rank
        return super().__new__(mcs, name, bases, namespace)


class Candidate(metaclass=Comparable):
    def __init__(self, rank, value):
        self.rank, self.value = rank, value

    def __lt__(self, other):
        return self.value < other.value


@jax.jit
def best(x, y):
    first = min(Candidate(1, x), Candidate(0, y))
    return first.value


print(best(jnp.float32(1.0), jnp.float32(2.0)))
