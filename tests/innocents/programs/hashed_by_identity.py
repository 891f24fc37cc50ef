"""Innocent, though it looks like JIT111.

What makes it right: __hash__ set on the class.
"""

import jax
import jax.numpy as jnp


class Node:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return self is other


setattr(Node, "__hash__", object.__hash__)


@jax.jit
def total(x):
    nodes = {Node(x): 1.0, Node(x + 1): 2.0}
    return sum(weight * node.value for node, weight in nodes.items())


print(total(jnp.float32(1.0)))
