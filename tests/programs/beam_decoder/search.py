"""Beam search over a toy language model."""

from functools import partial

import jax
import jax.numpy as jnp

from lm import EOS, next_log_probs


@partial(jax.jit, static_argnames=("beams", "max_len", "normalise"))
def search(params, prompt, beams=2, max_len=5, normalise="none"):
    """Return the best sequence with a fixed number of steps."""
    tokens = jnp.tile(prompt, (beams, 1))
    scores = jnp.full((beams,), 0.0)
    for step in range(max_len):
        table = scores[:, None] + next_log_probs(params, tokens)
        scores, flat = jax.lax.top_k(table.reshape(-1), beams)
        parent, token = jnp.divmod(flat, table.shape[1])
        tokens = jnp.concatenate([tokens[parent], token[:, None]], axis=1)
    if normalise == "length":
        scores = scores / max_len
    elif normalise != "none":
        raise ValueError(normalise)
    return tokens, scores


@jax.jit
def greedy(params, prompt):
    """Decode until every row has ended."""
    tokens = prompt[None]
    done = jnp.zeros(1, bool)
    while not done.all():  # expect: JIT102 @greedy
        token = next_log_probs(params, tokens).argmax(axis=-1)
        tokens = jnp.concatenate([tokens, token[:, None]], axis=1)
        done = done | (token == EOS)
    return tokens
