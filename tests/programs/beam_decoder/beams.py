"""Operations on finished and unfinished beams."""

import jax
import jax.numpy as jnp

from lm import EOS

PENALTIES = [1.0, 0.9, 0.8, 0.7]


@jax.jit
def penalised(scores, beam):
    return scores * PENALTIES[beam]  # expect: JIT107 @penalty


@jax.jit
def prune(scores, width):
    """Keep the best beams."""
    kept, _ = jax.lax.top_k(scores, width)  # expect: JIT108 @prune
    return kept


@jax.jit
def mark_finished(row, score):
    finished = EOS in row  # expect: JIT110 @finished
    return jnp.where(finished, score, -jnp.inf)


@jax.jit
def mark_finished_rows(rows, scores):
    finished = (rows == EOS).any(axis=-1)
    return jnp.where(finished, scores, -jnp.inf)
