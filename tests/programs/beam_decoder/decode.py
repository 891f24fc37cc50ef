"""Decode a prompt."""

import jax
import jax.numpy as jnp

from beams import mark_finished, mark_finished_rows, penalised, prune
from lm import BOS, EOS, init_params
from search import greedy, search


def detokenise(tokens, vocabulary):
    words = []
    for token in tokens.tolist():
        if token == EOS:
            break
        if token != BOS:
            words.append(vocabulary[token])
    return " ".join(words)


def main():
    params = init_params(jax.random.key(0))
    prompt = jnp.array([BOS])
    tokens, scores = search(params, prompt, beams=3, normalise="length")
    best = int(scores.argmax())
    print(detokenise(tokens[best], "abcdefgh"))
    print(prune(scores, 2), penalised(scores, 1), greedy(params, prompt))
    print(mark_finished(tokens[best], scores[best]), mark_finished_rows(tokens, scores))


if __name__ == "__main__":
    main()
