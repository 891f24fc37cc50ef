"""Innocent, though it looks like JIT309.

What makes it right: registration in a loop.
"""

import sys

import jax
import jax.numpy as jnp


class Pendulum:
    def __init__(self, length):
        self.length = length

    @jax.jit
    def period(self, gravity):
        return 2 * jnp.pi * jnp.sqrt(self.length / gravity)


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    @jax.jit
    def period(self, mass):
        return 2 * jnp.pi * jnp.sqrt(mass / self.stiffness)


def _make(cls):
    def build(auxiliary, children):
        made = object.__new__(cls)
        made.__dict__.update(zip(auxiliary, children))
        return made

    return build


for cls in [value for value in vars(sys.modules[__name__]).values() if isinstance(value, type)]:
    jax.tree_util.register_pytree_node(
        cls, lambda o: (tuple(vars(o).values()), tuple(vars(o))), _make(cls)
    )
print(Pendulum(1.0).period(9.81), Spring(2.0).period(1.0))
