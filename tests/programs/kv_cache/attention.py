"""Attention over a cache of keys and values."""

import math

import jax
import jax.numpy as jnp
import numpy as np


def empty_cache(layers, length, width):
    return [
        {"k": jnp.zeros((length, width)), "v": jnp.zeros((length, width))} for _ in range(layers)
    ]


def attend(query, keys, values, mask=None):
    scores = query @ keys.T / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    return jax.nn.softmax(scores, axis=-1) @ values


def store(entry, position, key, value):
    return {
        "k": jax.lax.dynamic_update_slice(entry["k"], key[None], (position, 0)),
        "v": entry["v"].at[position].set(value),
    }


def attend_cached(entry, position, query):
    mask = jnp.arange(entry["k"].shape[0]) <= position
    return attend(query, entry["k"], entry["v"], mask)


def attend_prefix(entry, position, query):
    keys = entry["k"][: position + 1]  # expect: JIT107 @prefix
    return attend(query, keys, entry["v"][: len(keys)])


def sinusoid(positions, width):
    half = width // 2
    rates = np.exp(-np.log(10_000.0) * np.arange(half) / half)
    angles = positions[..., None] * rates
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


def alibi(position, length, slope=0.5):
    """A penalty that grows with the distance."""
    past = jnp.arange(position)  # expect: JIT108 @alibi
    return jnp.zeros(length).at[: past.size].set(-slope * (position - past))


def causal_mask(length, window=None):
    mask = np.tril(np.ones((length, length), dtype=bool))
    if window:
        mask &= ~np.tril(mask, -window)
    return jnp.asarray(mask)


def self_attention(x, causal):
    if causal:  # expect: JIT101 @causal
        return attend(x, x, x, causal_mask(x.shape[0]))
    return attend(x, x, x)
