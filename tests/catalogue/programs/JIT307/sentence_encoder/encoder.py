"""Every sentence has a length of its own."""

import jax
import numpy as np

WORDS = {}


def tokenize(sentence):
    return np.array([WORDS.setdefault(word, len(WORDS)) for word in sentence.split()])


@jax.jit
def encode(params, tokens):
    return params[tokens].max(axis=0)


def embed_all(params, sentences):
    return [encode(params, tokenize(sentence)) for sentence in sentences]  # expect: JIT307 @sentences
