"""Metropolis and heat-bath updates of a two-dimensional Ising model."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from ratios import flip_ratio_smooth

CHECKERBOARD = np.indices((6, 6)).sum(axis=0) % 2


def neighbours(spins):
    total = jnp.zeros_like(spins)
    for axis in (0, 1):
        for shift in (-1, 1):
            total = total + jnp.roll(spins, shift, axis=axis)
    return total


def local_field(spins, row, column):
    side = spins.shape[0]
    return (
        spins[(row + 1) % side, column]
        + spins[row - 1, column]
        + spins[row, (column + 1) % side]
        + spins[row, column - 1]
    )


@partial(jax.jit, static_argnames=("ratio", "count"))
def single_flips(spins, key, beta, ratio=flip_ratio_smooth, count=10):
    """Propose one spin at a time."""

    def body(i, state):
        spins, key = state
        key, place_key, accept_key = jax.random.split(key, 3)
        row, column = jax.random.randint(place_key, (2,), 0, spins.shape[0])
        delta = 2 * spins[row, column] * local_field(spins, row, column)
        taken = jax.random.uniform(accept_key) < ratio(delta, beta)
        new = jnp.where(taken, -spins[row, column], spins[row, column])
        return spins.at[row, column].set(new), key

    return jax.lax.fori_loop(0, count, body, (spins, key))[0]


@jax.jit
def sweep(spins, key, beta):
    """Heat bath on one colour after the other."""
    for colour, sub in zip((0, 1), jax.random.split(key)):
        up = jax.nn.sigmoid(2 * beta * neighbours(spins))
        new = jnp.where(jax.random.uniform(sub, spins.shape) < up, 1, -1)
        spins = jnp.where(CHECKERBOARD == colour, new, spins)
    return spins


@jax.jit
def equilibrate(spins, key, beta):
    """Sweep until the magnetisation settles."""
    before, after = 2.0, spins.mean()
    while abs(before - after) > 0.01:  # expect: JIT102 @settle
        key, sub = jax.random.split(key)
        spins = sweep(spins, sub, beta)
        before, after = after, spins.mean()
    return spins
