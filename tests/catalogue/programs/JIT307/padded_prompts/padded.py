"""Lengths that vary behind shapes that do not."""

import jax
import jax.numpy as jnp
import numpy as np

LIMIT = 16
BUCKETS = (4, 8, 16)


@jax.jit
def score(tokens, length):
    return jnp.sum(jnp.where(jnp.arange(LIMIT) < length, tokens, 0))


@jax.jit
def bucketed_sum(tokens):
    return jnp.sum(tokens)


@jax.jit
def write(buffer, position, token):
    buffer = buffer.at[position].set(token)
    recent = jax.lax.dynamic_slice(buffer, (position - 1,), (2,))
    return buffer, recent.sum()


def pad(tokens, limit=LIMIT):
    return np.pad(tokens, (0, limit - len(tokens)))


def scores(prompts):
    return [score(pad(prompt), len(prompt)) for prompt in prompts]


def in_buckets(prompts):
    sums = []
    for prompt in prompts:
        size = next(size for size in BUCKETS if len(prompt) <= size)
        sums.append(bucketed_sum(pad(prompt, size)))
    return sums


def generate(count=5):
    buffer = jnp.zeros(LIMIT)
    for position in range(count):
        buffer, token = write(buffer, position, 1.0)
    return buffer
