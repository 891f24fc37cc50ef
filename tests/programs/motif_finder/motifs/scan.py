"""Sliding a matrix along sequences."""

from functools import partial

import jax
import jax.numpy as jnp

from .weights import WeightMatrix, one_hot


def window_scores(matrix: WeightMatrix, encoded):
    width = matrix.odds.shape[0]
    starts = encoded.shape[0] - width + 1
    return sum(encoded[k : k + starts] @ matrix.odds[k] for k in range(width))


@jax.jit
def best_score(matrix, encoded):
    return window_scores(matrix, encoded).max()


@partial(jax.jit, static_argnames=("options",))
def top_windows(matrix, encoded, options=None):
    count = 1 if options is None else options["count"]
    return jax.lax.top_k(window_scores(matrix, encoded), count)


def compile_scan(matrix):
    """A scan with the matrix built into the program."""
    return jax.jit(lambda encoded: best_score(matrix, encoded))  # expect: JIT301 @scan


def best_hits(matrices, sequence):
    """The best score of every matrix."""
    encoded = one_hot(sequence)
    hits = {}
    for name, matrix in matrices.items():
        scan = compile_scan(matrix)
        hits[name] = float(scan(encoded))
    return hits


def best_hits_quickly(matrices, sequence):
    encoded = one_hot(sequence)
    return {name: float(best_score(matrix, encoded)) for name, matrix in matrices.items()}


def score_text(matrix, sequence: str):
    sequence = sequence.upper()
    return best_score(matrix, sequence)  # expect: JIT308 @letters


def runners_up(matrix, sequence, count):
    options = {"count": count}
    return top_windows(matrix, one_hot(sequence), options=options)  # expect: JIT304 @options


def winner(matrix, sequence):
    return top_windows(matrix, one_hot(sequence))
