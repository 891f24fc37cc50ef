"""Large arrays that are arguments, and captured ones that cost nothing."""

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
EMBEDDING = rng.normal(size=(1000, 400)).astype(np.float32)
SMALL = rng.normal(size=(8, 8)).astype(np.float32)
BLANK = np.zeros((1000, 400), np.float32)
ONES = jnp.ones((1000, 400))


@jax.jit
def lookup(table, tokens):
    return table[tokens].mean(0)


@jax.jit
def mixed(x):
    return x @ SMALL


@jax.jit
def padded(x):
    """An array of one value is one value in the program."""
    return (BLANK + x) * ONES


@jax.jit
def normalised(x):
    rows, columns = EMBEDDING.shape
    return x / (rows * columns) + np.float32(EMBEDDING[0].sum())


def on_host(tokens):
    return EMBEDDING[np.asarray(tokens)]


def main():
    tokens = np.arange(3)
    table = jax.device_put(EMBEDDING)
    return lookup(table, tokens), mixed(jnp.ones(8)), padded(1.0)[0, 0], normalised(2.0), on_host(tokens)
