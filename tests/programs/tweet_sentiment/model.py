"""Bag of words into three moods."""

import jax
import jax.numpy as jnp

MOODS = ("sad", "flat", "glad")


def init(key, vocabulary, width=8):
    first, second = jax.random.split(key)
    return {
        "embed": jax.random.normal(first, (vocabulary, width)) * 0.1,
        "head": jax.random.normal(second, (width, len(MOODS))) * 0.1,
    }


def scores(params, counts, probe=None):
    """Logits; ``probe`` is called with every intermediate array."""
    hidden = jnp.tanh(counts @ params["embed"])
    if probe is not None:
        probe("hidden", hidden)
    logits = hidden @ params["head"]
    if probe is not None:
        probe("logits", logits)
    return logits


def describe(params, counts):
    """Shapes of the intermediate arrays."""
    seen = {}

    def remember(name, value):
        seen[name] = value.shape

    jax.eval_shape(lambda p, c: scores(p, c, remember), params, counts)
    return seen
