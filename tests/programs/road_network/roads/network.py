"""Road networks as edge lists."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_node_class
class Network:
    """Edges with lengths; the number of crossings is part of the structure."""

    def __init__(self, sender, receiver, length, crossings):
        self.sender = sender
        self.receiver = receiver
        self.length = length
        self.crossings = crossings

    def tree_flatten(self):
        return (self.sender, self.receiver, self.length), self.crossings

    @classmethod
    def tree_unflatten(cls, crossings, children):
        made = object.__new__(cls)
        made.sender, made.receiver, made.length = children
        made.crossings = crossings
        return made

    @jax.jit
    def degrees(self):
        ones = jnp.ones_like(self.length)
        return jax.ops.segment_sum(ones, self.receiver, num_segments=self.crossings)

    @jax.jit
    def with_traffic(self, load):
        slower = jax.tree.map(lambda leaf: leaf, self)
        slower.length = self.length * (1.0 + load)
        return slower


def grid(side):
    """A square grid of streets, both directions."""
    sender, receiver = [], []

    def connect(a, b):
        sender.extend([a, b])
        receiver.extend([b, a])

    for y in range(side):
        for x in range(side):
            here = y * side + x
            if x + 1 < side:
                connect(here, here + 1)
            if y + 1 < side:
                connect(here, here + side)
    lengths = np.ones(len(sender), np.float32)
    lengths[::3] = 2.0
    return Network(np.array(sender), np.array(receiver), lengths, side * side)
