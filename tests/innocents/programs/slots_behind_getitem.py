"""Innocent, though it looks like JIT310.

What makes it right: __getitem__ that reads a container.
"""

import jax
import jax.numpy as jnp

decay = jax.jit(lambda slot: slot * 0.9, donate_argnums=0)


class Pool:
    def __init__(self, count):
        self._slots = [jnp.ones(4) * i for i in range(count)]

    def __getitem__(self, index):
        return self._slots[index]

    def __setitem__(self, index, value):
        self._slots[index] = value


pool = Pool(3)
for turn in range(4):
    for index in range(3):
        pool[index] = decay(pool[index])
    print(turn, float(pool[0].sum() + pool[1].sum()))
