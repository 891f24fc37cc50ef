"""Greedy transcription of audio frames with CTC collapsing."""

from functools import lru_cache, partial

import jax
import jax.numpy as jnp

BLANK = 0
LETTERS = "_abcde"


@lru_cache(maxsize=None)
def letter_weight(index):
    return 1.0 if index == BLANK else 0.5 + 0.1 * index


def best_path(logits):
    return jnp.argmax(logits, axis=-1)


def keep_mask(path):
    previous = jnp.concatenate([jnp.array([-1]), path[:-1]])
    return (path != previous) & (path != BLANK)


@jax.jit
def collapse(logits):
    """Drop repeats and blanks."""
    path = best_path(logits)
    return path[keep_mask(path)]  # expect: JIT109 @collapse


@partial(jax.jit, static_argnames="size")
def collapse_padded(logits, size):
    path = best_path(logits)
    where = jnp.nonzero(keep_mask(path), size=size, fill_value=-1)[0]
    return jnp.where(where >= 0, path[where], BLANK)


@jax.jit
def first_letter(logits):
    path = best_path(logits)
    return ord(LETTERS[path[0]])  # expect: JIT107 @letter


@jax.jit
def weighted_length(logits):
    path = best_path(logits)
    return sum(letter_weight(index) for index in path)  # expect: JIT111 @weight
