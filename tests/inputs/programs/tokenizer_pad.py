"""Batches of tokens with padding."""

import jax
import jax.numpy as jnp

PAD = 0


def lengths(tokens):
    return (tokens != PAD).sum(axis=1)


@jax.jit
def trim(tokens):
    longest = lengths(tokens).max()
    return tokens[:, :longest]  # expect: JIT107 @longest


@jax.jit
def bag(embeddings, tokens):
    vectors = embeddings[tokens]
    mask = jnp.arange(tokens.shape[1])[None, :] < lengths(tokens)[:, None]
    if not mask.all():  # expect: JIT101 @padded
        vectors = vectors * mask[..., None]
    return vectors.sum(axis=1)


@jax.jit
def vocabulary(tokens):
    return jnp.unique(tokens)  # expect: JIT109 @unique
