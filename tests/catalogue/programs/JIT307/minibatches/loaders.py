import numpy as np


def batches(x, y, size):
    """All of the data; the last batch is what is left."""
    order = np.random.default_rng(0).permutation(len(x))
    for start in range(0, len(x), size):
        rows = order[start : start + size]
        yield x[rows], y[rows]


def full_batches(x, y, size):
    for k in range(len(x) // size):
        rows = slice(k * size, (k + 1) * size)
        yield x[rows], y[rows]
