"""Metrics with an abstract core: state lives in arguments, and host subclasses stay on the host."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Totals(NamedTuple):
    value: jax.Array
    count: jax.Array


class Metric:
    """Accumulate in compiled code, compute at the end of an epoch."""

    def zero(self):
        return Totals(jnp.zeros(()), jnp.zeros(()))

    def score(self, logits, labels):
        """One number for each example."""

    def add(self, totals, logits, labels):
        scores = self.score(logits, labels)
        return Totals(totals.value + scores.sum(), totals.count + scores.size)


class Accuracy(Metric):
    def score(self, logits, labels):
        return (jnp.argmax(logits, -1) == labels).astype(jnp.float32)


class Margin(Metric):
    def __init__(self, clip=None):
        self.clip = clip

    def score(self, logits, labels):
        top = jnp.sort(logits, axis=-1)
        margin = top[:, -1] - top[:, -2]
        return margin if self.clip is None else jnp.minimum(margin, self.clip)


class HostAccuracy(Metric):
    """For tables of the evaluation; never compiled."""

    def __init__(self):
        self.history = []

    def score(self, logits, labels):
        hits = [float(row.argmax() == label) for row, label in zip(logits, labels)]
        self.history.extend(hits)
        return jnp.array(hits)


def epoch(metric, batches):
    """Compiled, for metrics that can be."""
    add = jax.jit(metric.add)
    totals = metric.zero()
    for logits, labels in batches:
        totals = add(totals, logits, labels)
    return float(totals.value / totals.count)


def table(batches):
    """On the host."""
    metric = HostAccuracy()
    totals = metric.zero()
    for logits, labels in batches:
        totals = metric.add(totals, logits, labels)
    return totals, metric.history


def main():
    batches = [(jnp.eye(3), jnp.array([0, 1, 0]))] * 2
    print(epoch(Accuracy(), batches), epoch(Margin(0.5), batches), epoch(Margin(), batches))
    print(table(batches))


if __name__ == "__main__":
    main()
