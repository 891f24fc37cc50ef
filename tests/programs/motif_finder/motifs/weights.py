"""Position weight matrices."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

LETTERS = "ACGT"
smoothed = []


class WeightMatrix(NamedTuple):
    """Log odds of the four letters at every position of a motif."""

    odds: jax.Array
    background: jax.Array

    @jax.jit
    def information(self):
        share = jnp.exp(self.odds) * self.background
        return (share * self.odds).sum()


def one_hot(sequence):
    """Encode letters as rows; N is a row of quarters."""
    rows = np.full((len(sequence), 4), 0.25, np.float32)
    for position, letter in enumerate(sequence):
        if letter in LETTERS:
            rows[position] = 0.0
            rows[position, LETTERS.index(letter)] = 1.0
    return rows


def add_pseudocount(counts):
    total = counts.sum(axis=1, keepdims=True)
    shares = (counts + 0.25) / (total + 1.0)
    smoothed.append(shares)  # expect: JIT202 @smoothed
    return shares


@jax.jit
def from_counts(tables, background):
    """Weight matrices of several motifs, by name."""
    shares = jax.tree.map(add_pseudocount, tables)
    return jax.tree.map(lambda share: WeightMatrix(jnp.log(share / background), background), shares)
