import numpy as np


def batches(seed=0):
    rng = np.random.default_rng(seed)
    while True:
        x = rng.normal(size=(4, 2)).astype(np.float32)
        yield x, x @ np.array([1.0, -2.0], np.float32)
