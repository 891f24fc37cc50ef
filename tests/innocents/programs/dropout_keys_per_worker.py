"""Looks like a fault of JIT213.

The subclass that is run overrides the method that gives the fixed key, folding in the step and the worker that it was given.
"""
import jax
import jax.numpy as jnp
import numpy as np


class Masker:
    rate = 0.5

    def key_for(self, step):
        return jax.random.key(0)

    def mask(self, step, shape):
        return jax.random.bernoulli(self.key_for(step), 1.0 - self.rate, shape)

    def apply(self, step, x):
        kept = self.mask(step, x.shape)
        return jnp.where(kept, x / (1.0 - self.rate), 0.0)


class WorkerMasker(Masker):
    def __init__(self, worker, rate):
        self.worker = worker
        self.rate = rate

    def key_for(self, step):
        key = super().key_for(step)
        return jax.random.fold_in(jax.random.fold_in(key, self.worker), step)


def build_step(masker):
    @jax.jit
    def train_step(step, weights, x):
        hidden = masker.apply(step, x)
        slope = 2.0 * hidden.T @ (hidden @ weights - 1.0) / x.shape[0]
        return weights - 0.05 * slope, hidden == 0.0

    return train_step


if __name__ == "__main__":
    x = jnp.ones((16, 4))
    patterns = set()
    masker = WorkerMasker(worker=2, rate=0.25)
    train_step = build_step(masker)
    weights = jnp.zeros(4)
    for step in range(30):
        weights, dropped = train_step(step, weights, x)
        patterns.add(np.asarray(dropped).tobytes())
    assert train_step._cache_size() == 1
    assert np.isfinite(weights).all()
    other = WorkerMasker(worker=3, rate=0.25)
    assert (masker.mask(0, x.shape) != other.mask(0, x.shape)).any()
    assert len(patterns) == 30, len(patterns)
    print("distinct masks", len(patterns))
