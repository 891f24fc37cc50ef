"""Looks like a fault of JIT209.

The constructor primes the memoised table for every length the batches can have before anything is traced, so the traced calls only hit entries that are concrete arrays.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.lru_cache(maxsize=32)
def rotary_table(length, width):
    frequency = 1.0 / 100.0 ** (jnp.arange(0, width, 2) / width)
    angle = jnp.outer(jnp.arange(length), frequency)
    return jnp.cos(angle), jnp.sin(angle)


class RotaryAttention:
    def __init__(self, width, buckets):
        self.width = width
        self.buckets = sorted(buckets)
        for length in self.buckets:
            rotary_table(length, width)
        self._scores = jax.jit(self._traced_scores)

    def rotate(self, x):
        cos, sin = rotary_table(x.shape[0], self.width)
        even, odd = x[:, 0::2], x[:, 1::2]
        return jnp.concatenate([even * cos - odd * sin, even * sin + odd * cos], axis=1)

    def _traced_scores(self, q, k):
        return self.rotate(q) @ self.rotate(k).T / self.width**0.5

    def scores(self, q, k):
        n = q.shape[0]
        length = next(b for b in self.buckets if b >= n)
        pad = ((0, length - n), (0, 0))
        return self._scores(np.pad(q, pad), np.pad(k, pad))[:n, :n]


if __name__ == "__main__":
    attention = RotaryAttention(4, [16, 8])
    q = np.ones((5, 4), np.float32)
    with jax.checking_leaks():
        scores = attention.scores(q, q)
    assert np.allclose(np.diag(scores), 2.0, atol=1e-5)
    assert np.isclose(scores[0, 1], scores[3, 4], atol=1e-5)
    assert attention.scores(np.ones((9, 4), np.float32), np.ones((9, 4), np.float32)).shape == (9, 9)
    for length in (8, 16):
        assert isinstance(rotary_table(length, 4)[0] + 1, jax.Array)
        assert not isinstance(rotary_table(length, 4)[0], jax.core.Tracer)
    assert rotary_table.cache_info().misses == 2
    assert attention._scores._cache_size() == 2
