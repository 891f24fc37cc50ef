"""Looks like a fault of JIT307.

The decorator pads every batch to the next bucket length before the compiled function sees it, so thirty different lengths make three programs.
"""
import functools

import jax
import jax.numpy as jnp
import numpy as np

BUCKETS = (8, 16, 32, 64)


def bucketed(fn):
    compiled = jax.jit(fn)

    @functools.wraps(fn)
    def call(table, tokens):
        length = len(tokens)
        width = next(bucket for bucket in BUCKETS if bucket >= length)
        padded = np.zeros(width, np.int32)
        padded[:length] = tokens
        return compiled(table, padded)

    call.compiled = compiled
    return call


@bucketed
def sentence_vector(table, tokens):
    real = tokens > 0
    rows = jnp.where(real[:, None], table[tokens], 0.0)
    return rows.sum(axis=0) / jnp.maximum(real.sum(), 1)


def embed_corpus(table, corpus):
    vectors = []
    for tokens in corpus:
        vectors.append(sentence_vector(table, tokens))
    return jnp.stack(vectors)


if __name__ == "__main__":
    rng = np.random.default_rng(9)
    corpus = [rng.integers(1, 50, size=length) for length in range(1, 31)]
    corpus += [rng.integers(1, 50, size=length) for length in range(10, 20)]
    table = jnp.asarray(rng.normal(size=(50, 4)), jnp.float32)
    vectors = embed_corpus(table, corpus)
    assert vectors.shape == (40, 4)
    host = np.asarray(table)
    for tokens, vector in zip(corpus, vectors):
        np.testing.assert_allclose(vector, host[tokens].mean(axis=0), atol=1e-5)
    assert sentence_vector.compiled._cache_size() == 3
    print("programs", sentence_vector.compiled._cache_size())
