"""Batches for a compiled step: shuffled, padded and put on the device ahead of time."""

import collections
import itertools

import jax
import jax.numpy as jnp
import numpy as np

from sources import Reservoir, padded, stream


def batched(rows, size):
    rows = iter(rows)
    while chunk := list(itertools.islice(rows, size)):
        yield padded(chunk, size)


def ahead(batches, depth=2):
    """Start the transfer of the next batches early."""
    queue = collections.deque()
    for batch in batches:
        queue.append(jax.device_put(batch))
        if len(queue) > depth:
            yield queue.popleft()
    while queue:
        yield queue.popleft()


def whiten(batch, mask, statistics):
    """Subtract the mean; the statistics are a dictionary made in the trace."""
    count = jnp.maximum(mask.sum(), 1)
    statistics["mean"] = (batch * mask[:, None]).sum(axis=0) / count
    statistics["scale"] = jnp.sqrt(((batch - statistics["mean"]) ** 2 * mask[:, None]).sum(0) / count)
    return (batch - statistics["mean"]) / (statistics["scale"] + 1e-3)


@jax.jit
def step(weights, batch, mask):
    statistics = {}
    xs = whiten(batch[:, :-1], mask, statistics)
    ys = batch[:, -1]

    def loss(w):
        return jnp.sum(mask * jnp.logaddexp(0.0, (1 - 2 * ys) * (xs @ w))) / statistics["count"]

    statistics["count"] = mask.sum()
    return weights - 0.5 * jax.grad(loss)(weights), statistics


def train(count=11, size=4):
    """One pass over a stream."""
    reservoir = Reservoir(3)
    weights = jnp.zeros(3)
    means = []
    for batch, mask in ahead(batched(stream(count), size)):
        weights, statistics = step(weights, batch, mask)
        means.append(np.asarray(statistics["mean"]))
        for row in np.asarray(batch)[np.asarray(mask)]:
            reservoir.offer(row)
    return weights, np.stack(means), reservoir


if __name__ == "__main__":
    weights, means, reservoir = train()
    print(weights, means, reservoir.seen, len(reservoir.kept))
