"""Innocent, though it looks like JIT304.

What makes it right: class decorator that makes hashable.
"""

import functools

import jax
import jax.numpy as jnp


def frozen(cls):
    def digest(self):
        return hash(repr(vars(self)))

    setattr(cls, "__hash__", digest)
    return cls


@frozen
class Stencil:
    def __init__(self, width):
        self.width = width

    def __eq__(self, other):
        return self.width == other.width


@functools.partial(jax.jit, static_argnames="stencil")
def blur(x, stencil):
    return sum(jnp.roll(x, k) for k in range(stencil.width)) / stencil.width


print(blur(jnp.arange(4.0), stencil=Stencil(2)), blur(jnp.arange(4.0), stencil=Stencil(2)))
