"""Ising spins on a square lattice."""

import jax
import jax.numpy as jnp

SIDE = 8


def neighbours(spins):
    return sum(jnp.roll(spins, shift, axis) for shift in (-1, 1) for axis in (0, 1))


def energy(spins, coupling):
    assert spins.shape == (SIDE, SIDE)
    return -coupling * jnp.sum(spins * neighbours(spins)) / 2


def flip(key, spins, beta, coupling):
    where, accept = jax.random.split(key)
    row, column = jax.random.randint(where, (2,), 0, SIDE)
    change = 2 * coupling * spins[row, column] * neighbours(spins)[row, column]
    if change < 0 or jax.random.uniform(accept) < jnp.exp(-beta * change):  # expect: JIT101 @accept
        spins = spins.at[row, column].multiply(-1)
    return spins


@jax.jit
def sweep(key, spins, beta, coupling):
    def one(spins, key):
        return flip(key, spins, beta, coupling), energy(spins, coupling)

    return jax.lax.scan(one, spins, jax.random.split(key, SIDE * SIDE))
