"""Greedy decoding of frames into letters."""

import jax
import jax.numpy as jnp

BLANK = 0


def best_path(logits):
    return jnp.argmax(logits, axis=-1)


@jax.jit
def collapse(logits):
    path = best_path(logits)
    changed = jnp.concatenate([jnp.array([True]), path[1:] != path[:-1]])
    keep = changed & (path != BLANK)
    return path[keep]  # expect: JIT109 @keep


def errors(logits, target):
    path = collapse(logits)
    return jnp.sum(path != target)


@jax.jit
def confidence(params, frames):
    logits = frames @ params["kernel"] + params["bias"]
    share = jax.nn.softmax(logits).max(axis=-1)
    lowest = min(share.mean(axis=0), 0.5)  # expect: JIT110 @lowest
    return share - lowest
