"""Innocent, though it looks like JIT308.

What makes it right: class decorator that registers.
"""

import importlib

import jax
import jax.numpy as jnp

registration = getattr(importlib.import_module("jax.tree_util"), "register_pytree_node_class")


@registration
class State:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def tree_flatten(self):
        return (self.x, self.v), None

    @classmethod
    def tree_unflatten(cls, auxiliary, children):
        return cls(*children)


@jax.jit
def leap(state):
    return State(state.x + state.v, state.v)


print(leap(State(jnp.zeros(2), jnp.ones(2))).x)
