"""Graphs of every size."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def propagate(nodes, senders, receivers):
    messages = nodes[senders]
    return jnp.zeros_like(nodes).at[receivers].add(messages)


def ring(size):
    nodes = np.ones((size, 2), np.float32)
    return nodes, np.arange(size), (np.arange(size) + 1) % size


def evaluate(sizes):
    totals = []
    for size in sizes:
        nodes, senders, receivers = ring(size)
        totals.append(propagate(nodes, senders, receivers).sum())  # expect: JIT307 @ring
    return totals


class Reservoir:
    """Keeps all that it has seen."""

    def __init__(self):
        self.data = np.zeros((0, 2), np.float32)
        self.score = jax.jit(lambda data: data.std(0))

    def add(self, rows):
        self.data = np.vstack([self.data, rows])
        return self.score(self.data)  # expect: JIT307 @reservoir


def follow(stream):
    reservoir = Reservoir()
    return [reservoir.add(rows) for rows in stream]
