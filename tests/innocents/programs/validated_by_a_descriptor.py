"""Innocent, though it looks like JIT101.

What makes it right: descriptor that makes static.
"""

import jax
import jax.numpy as jnp


class AsFloat:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        setattr(obj, self.name, float(value))


class Damping:
    strength = AsFloat()

    def __init__(self, strength):
        self.strength = strength


damping = Damping(jnp.float32(0.5))


@jax.jit
def damp(v):
    return v * 0.5 if damping.strength > 0.1 else v


print(damp(jnp.ones(2)))
