"""Innocent, though it looks like JIT210.

What makes it right: iterator replaced by __getattribute__.
"""

import itertools

import jax
import jax.numpy as jnp


class Names:
    def __getattribute__(self, name):
        if name == "counter":
            return itertools.count()
        return super().__getattribute__(name)


names = Names()
names.counter = itertools.count()


@jax.jit
def label(x):
    return x + next(names.counter)


result = label(jnp.ones(2))
print(result)
assert float(label(jnp.ones(3))[0]) == float(result[0]) == 1.0
