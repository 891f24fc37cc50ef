import numpy as np


class Loader:
    """Shuffled batches; the last one is smaller."""

    def __init__(self, images, labels, size, seed=0):
        self.images, self.labels, self.size = images, labels, size
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return -(-len(self.images) // self.size)

    def __iter__(self):
        order = self.rng.permutation(len(self.images))
        for k in range(len(self)):
            rows = order[k * self.size : (k + 1) * self.size]
            yield self.images[rows], self.labels[rows]


def synthetic(count=250, width=300):
    rng = np.random.default_rng(1)
    images = rng.normal(size=(count, width)).astype(np.float32)
    return images, (images.sum(1) > 0).astype(np.int32)
