"""Byte-pair merges on padded token arrays."""

import jax
import jax.numpy as jnp
from jax import Array

PAD = -1


def shift_left(tokens: Array) -> Array:
    return jnp.concatenate([tokens[1:], jnp.array([PAD])])


def pair_starts(tokens: Array, left, right) -> Array:
    return (tokens == left) & (shift_left(tokens) == right)


def compact(tokens: Array, keep: Array) -> Array:
    """Move the kept tokens to the front and pad the rest."""
    order = jnp.argsort(~keep, stable=True)
    return jnp.where(keep[order], tokens[order], PAD)


def merge_once(tokens: Array, left, right, new) -> Array:
    starts = pair_starts(tokens, left, right)
    gone = jnp.concatenate([jnp.array([False]), starts[:-1]])
    return compact(jnp.where(starts, new, tokens), ~gone & (tokens != PAD))


def encode(tokens, table):
    """Apply all merges in order; the table is a list of pairs known beforehand."""
    for index, (left, right) in enumerate(table):
        if left == right:
            continue
        tokens = merge_once(tokens, left, right, 256 + index)
    return tokens


def exhaust(tokens: Array, left, right, new) -> Array:
    """Repeat one merge until no place is left."""
    starts = pair_starts(tokens, left, right)
    while starts.any():  # expect: JIT102 @exhaust
        tokens = merge_once(tokens, left, right, new)
        starts = pair_starts(tokens, left, right)
    return tokens


def exhaust_loop(tokens: Array, left, right, new) -> Array:
    return jax.lax.while_loop(
        lambda tokens: pair_starts(tokens, left, right).any(),
        lambda tokens: merge_once(tokens, left, right, new),
        tokens,
    )


def distinct(tokens: Array) -> int:
    return len({token for token in tokens})  # expect: JIT111 @distinct


def pair_counts(tokens: Array) -> Array:
    """Occurrences of each pair of neighbours, as a vector."""
    counts: dict = {}
    values = tokens.tolist()  # expect: JIT105 @listed
    for pair in zip(values, values[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return jnp.array(list(counts.values()))
