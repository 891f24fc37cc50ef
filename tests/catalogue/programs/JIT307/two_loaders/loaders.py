"""One shape for training, one for testing."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def accuracy(w, x):
    return jnp.mean(x @ w > 0)


def batches(x, size, drop_last=True):
    count = len(x) // size if drop_last else -(-len(x) // size)
    for k in range(count):
        yield x[k * size : (k + 1) * size]


def padded(x, size):
    for batch in batches(x, size, drop_last=False):
        missing = size - len(batch)
        yield np.concatenate([batch, np.zeros((missing, x.shape[1]), x.dtype)])


def run(epochs=2):
    train, test = np.ones((10, 2), np.float32), np.ones((6, 2), np.float32)
    w = jnp.ones(2)
    scores = []
    for _ in range(epochs):
        scores += [accuracy(w, x) for x in batches(train, 4)]
        scores += [accuracy(w, x) for x in padded(train, 4)]
        scores.append(accuracy(w, test))
    return jnp.stack(scores)
