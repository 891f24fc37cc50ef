"""Streaming metrics as NamedTuples and registered dataclasses."""

import dataclasses
from functools import partial, reduce
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Mean(NamedTuple):
    total: jax.Array
    count: jax.Array

    @classmethod
    def empty(cls):
        return cls(jnp.zeros(()), jnp.zeros(()))

    @jax.jit
    def update(self, values, weights=None):
        """The mean with more values in it."""
        weights = jnp.ones_like(values) if weights is None else weights
        return Mean(self.total + jnp.sum(values * weights), self.count + jnp.sum(weights))

    def result(self):
        return self.total / jnp.maximum(self.count, 1.0)


@partial(jax.tree_util.register_dataclass, data_fields=["counts"], meta_fields=["edges"])
@dataclasses.dataclass
class Histogram:
    """Counts between fixed edges."""

    counts: jax.Array
    edges: tuple

    @jax.jit
    def update(self, values):
        places = jnp.searchsorted(jnp.array(self.edges), values)
        fresh = Histogram(self.counts, self.edges)
        fresh.counts = fresh.counts.at[places].add(1)
        return fresh

    @jax.jit
    def share(self):
        return self.counts / self.counts.sum()


class Card:
    """A named set of metrics on the host."""

    def __init__(self, **metrics):
        self.metrics = metrics
        self.updates = 0

    def update(self, **values):
        for name, value in values.items():
            self.metrics[name] = self.metrics[name].update(value)
        self.updates += 1
        return self

    def __getitem__(self, name):
        return self.metrics[name]


@partial(jax.jit, static_argnames=("names",))
def batch_metrics(predictions, targets, names=("mae", "mse")):
    """The metrics of those names for one batch."""
    error = predictions - targets
    available = {"mae": lambda e: jnp.abs(e), "mse": jnp.square, "bias": lambda e: e}
    chosen = {}
    for name in names:
        chosen[name] = available.pop(name)(error).mean()
    assert not set(chosen) & set(available)
    return chosen


@jax.jit
def merged(means):
    """All means in one."""
    return reduce(lambda a, b: Mean(a.total + b.total, a.count + b.count), means)


def main():
    card = Card(loss=Mean.empty(), size=Histogram(jnp.zeros(4), (0.0, 1.0, 2.0)))
    for step in range(3):
        values = jnp.arange(4.0) * step
        card.update(loss=values, size=values)
        print(batch_metrics(values, jnp.ones(4)))
        print(batch_metrics(values, jnp.ones(4), names=("bias",)))
    print(card["loss"].result(), card["size"].share(), merged([card["loss"], Mean.empty()]))


if __name__ == "__main__":
    main()
