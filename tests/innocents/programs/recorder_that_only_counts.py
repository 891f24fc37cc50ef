"""Innocent, though it looks like JIT204.

What makes it right: __setattr__ that keeps no value.
"""

import jax
import jax.numpy as jnp


class Shapes:
    def __setattr__(self, name, value):
        self.__dict__[name] = tuple(value.shape)


shapes = Shapes()


@jax.jit
def encode(x, w):
    hidden = x @ w
    shapes.hidden = hidden
    return jnp.tanh(hidden)


print(encode(jnp.ones((2, 3)), jnp.ones((3, 4))))
assert shapes.hidden == (2, 4)
