"""Where samples come from."""

import random

import numpy as np


class Reservoir:
    """A uniform sample of a stream."""

    def __init__(self, size, seed=0):
        self.size = size
        self.kept = []
        self.seen = 0
        self._random = random.Random(seed)

    def offer(self, item):
        self.seen += 1
        if len(self.kept) < self.size:
            self.kept.append(item)
            return
        place = self._random.randrange(self.seen)
        if place < self.size:
            self.kept[place] = item


def stream(count, width=3, seed=0):
    """Rows with a label in the last column."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        row = np.empty(width + 1, np.float32)
        row[:width] = rng.normal(size=width)
        row[width] = row[:width].sum() > 0
        yield row


def padded(rows, size):
    """Rows in an array of fixed height, with a mask."""
    batch = np.zeros((size, rows[0].size), np.float32)
    mask = np.zeros(size, bool)
    for i, row in enumerate(rows):
        batch[i] = row
        mask[i] = True
    return batch, mask
