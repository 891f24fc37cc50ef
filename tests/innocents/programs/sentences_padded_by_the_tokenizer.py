"""Looks like a fault of JIT307.

The tokenizer pads as its loaded options say, so that every sentence comes with the same shape.
"""
import json

import jax
import jax.numpy as jnp
import numpy as np

OPTIONS = json.loads('{"padding": {"to": 16, "with": 0}, "lowercase": true}')


class Tokenizer:
    def __init__(self, padding=None, lowercase=False):
        self.padding = padding
        self.steps = [str.lower] if lowercase else []
        self.vocabulary = {}

    def __call__(self, text):
        for step in self.steps:
            text = step(text)
        ids = [self.vocabulary.setdefault(w, len(self.vocabulary) + 1) for w in text.split()]
        if self.padding:
            ids += [self.padding["with"]] * (self.padding["to"] - len(ids))
        return np.array(ids, dtype=np.int32)


@jax.jit
def score(tokens):
    used = tokens > 0
    return jnp.sum(jnp.where(used, tokens, 0)) / jnp.maximum(used.sum(), 1)


if __name__ == "__main__":
    tokenize = Tokenizer(**OPTIONS)
    words, scores = [], []
    for word in "A rose is a rose is a rose".split():
        words.append(word)
        scores.append(float(score(tokenize(" ".join(words)))))
    assert scores[:3] == [1.0, 1.5, 2.0]
    assert len(scores) == 8
    assert score._cache_size() == 1
