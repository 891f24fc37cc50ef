"""Attention with an optional mask, and an optional temperature."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def attend(query, keys, mask=None):
    scores = keys @ query
    if mask is None:
        top = scores.max()
        if top > 50.0:  # expect: JIT101 @overflow
            scores = scores - top
        return jax.nn.softmax(scores)
    scores = jnp.where(mask > 0, scores, -1e9)
    return jax.nn.softmax(scores) * mask.any()


def weights(scores, temperature):
    """None means the largest only."""
    if temperature is None:
        return np.where(scores == scores.max(), 1.0, 0.0)  # expect: JIT106 @hard
    return jax.nn.softmax(scores / jnp.maximum(temperature, 0.1))


@jax.jit
def read(memory, query, temperature=None):
    return weights(memory @ query, temperature) @ memory


class Reader:
    """Reads with a key that may be missing."""

    def __init__(self, memory):
        self.memory = memory

    def __call__(self, query, key=None):
        scores = self.memory @ query
        if key is None:
            noise = jnp.zeros_like(scores)
            assert scores.min() > -100.0  # expect: JIT103 @negative
        else:
            noise = jax.random.gumbel(key, scores.shape)
        return self.memory[jnp.argmax(scores + noise)]


def compiled(memory):
    return jax.jit(Reader(memory))
