"""Innocent, though it looks like JIT212.

What makes it right: at-update on an object that keeps it.
"""

import jax
import jax.numpy as jnp


class Recording:
    def __init__(self, array):
        self.array = array

    def __getattr__(self, name):
        return getattr(self.array, name)

    @property
    def at(self):
        return _At(self)


class _At:
    def __init__(self, owner):
        self.owner = owner

    def __getitem__(self, index):
        self.index = index
        return self

    def set(self, value):
        self.owner.array = self.owner.array.at[self.index].set(value)


@jax.jit
def mark(x):
    board = Recording(jnp.zeros(3))
    board.at[1].set(x)
    return board.array


print(mark(2.0))
