"""Innocent, though it looks like JIT106.

What makes it right: setattr with a computed name.
"""

import jax
import jax.numpy as jnp
import numpy as np


class RotaryEmbedding:
    def __init__(self, dim, length):
        inverse = 1.0 / 10_000 ** (np.arange(0, dim, 2) / dim)
        angles = np.outer(np.arange(length), inverse)
        self.cos = np.cos(angles)
        self.sin = np.sin(angles)
        self.to_device(["cos", "sin"])

    def to_device(self, names):
        for name in names:
            setattr(self, name, jax.device_put(getattr(self, name)))

    def rotate(self, x, position):
        half = x.shape[-1] // 2
        left, right = x[..., :half], x[..., half:]
        c, s = self.cos[position], self.sin[position]
        return jnp.concatenate([left * c - right * s, left * s + right * c], -1)


rope = RotaryEmbedding(8, 32)
print(jax.jit(rope.rotate)(jnp.ones(8), jnp.int32(3)))
