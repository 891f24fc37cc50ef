"""Averages of weights that follow the trained ones."""

import jax


class Average:
    """An exponential average of a tree.

    The tree itself is handed around; only the decay lives here.
    """

    def __init__(self, decay):
        self.decay = decay
        self.updates = 0

    def rate(self, step):
        return min(self.decay, (1 + step) / (10 + step))  # expect: JIT110 @rate

    def follow(self, average, params, step):
        rate = self.rate(step)
        return jax.tree.map(lambda a, p: rate * a + (1 - rate) * p, average, params)


def make_update(decay):
    average = Average(decay)

    @jax.jit
    def update(shadow, params, step):
        return average.follow(shadow, params, step)

    return update
