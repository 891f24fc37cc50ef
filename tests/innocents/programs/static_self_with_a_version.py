"""Innocent, though it looks like JIT311.

What makes it right: equality that follows the change.
"""

import functools

import jax
import jax.numpy as jnp


class Gain:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return hash(tuple(vars(self).values()))

    def __eq__(self, other):
        return vars(self) == vars(other)

    @functools.partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.value


def adjust(gain, **changes):
    made = Gain(gain.value)
    vars(made).update(changes)
    return made


gain = Gain(1.0)
print(gain.apply(jnp.ones(2)))
gain = adjust(gain, value=3.0)
result = gain.apply(jnp.ones(2))
print(result)
assert float(result[0]) == 3.0
