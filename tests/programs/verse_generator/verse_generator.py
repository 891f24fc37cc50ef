"""A small character model that writes verses, and scores those of others."""

import os
import random
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

ALPHABET = "abcdefghijklmnopqrstuvwxyz \n"
EMBEDDINGS = {}


def encode(text):
    return np.array([ALPHABET.index(ch) for ch in text], np.int32)


def decode(codes):
    return "".join(ALPHABET[int(c)] for c in codes)


def init_params(key, width=8):
    first, second = jax.random.split(key)
    size = len(ALPHABET)
    return {
        "embed": jax.random.normal(first, (size, width)),
        "out": jax.random.normal(second, (width, size)),
    }


def embedding_for(params, dialect):
    """The embedding matrix of a dialect, normalised the first time it is asked for."""
    if dialect not in EMBEDDINGS:
        table = params["embed"]
        EMBEDDINGS[dialect] = table / jnp.linalg.norm(table, axis=1, keepdims=True)  # expect: JIT202 @embeddings
    return EMBEDDINGS[dialect]


def softness():
    return float(os.environ.get("VERSE_SOFTNESS", "1.0"))  # expect: JIT207 @softness


def logits_after(params, code, dialect):
    return embedding_for(params, dialect)[code] @ params["out"] / softness()


def likelihood(params, codes, dialect, seen=[]):
    """Log likelihood of every letter after the first."""
    seen.append(codes.shape[0])  # expect: JIT211 @seen
    logits = jax.vmap(lambda code: logits_after(params, code, dialect))(codes[:-1])
    return jnp.take_along_axis(jax.nn.log_softmax(logits), codes[1:, None], axis=1).sum()


@partial(jax.jit, static_argnames="dialect")
def score(params, codes, dialect="plain"):
    return likelihood(params, codes, dialect)


@jax.jit
def dream(params, start):
    """Eight letters by inverting the cumulative distribution."""

    def letter(code, _):
        weights = jax.nn.softmax(params["embed"][code] @ params["out"])
        u = random.random()  # expect: JIT207 @dice
        chosen = jnp.searchsorted(jnp.cumsum(weights), u).clip(0, len(ALPHABET) - 1)
        return chosen.astype(jnp.int32), chosen

    return jax.lax.scan(letter, start, None, length=8)[1]


@jax.jit
def recite(params, start, key):
    """Eight letters, from a key."""

    def letter(code, key):
        chosen = jax.random.categorical(key, params["embed"][code] @ params["out"])
        return chosen.astype(jnp.int32), chosen

    return jax.lax.scan(letter, start, jax.random.split(key, 8))[1]


def write_poem(params, seed, lines=3):
    key = jax.random.key(seed)
    poem = []
    for _ in range(lines):
        key, sub = jax.random.split(key)
        start = jnp.int32(random.randrange(26))
        poem.append(decode(recite(params, start, sub)))
    return "\n".join(poem)
