"""Metropolis and heat-bath updates of a two-dimensional Ising model."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

WEIGHTS = {-8: 1.0, -4: 1.0, 0: 1.0, 4: 0.3, 8: 0.1}
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


def flip_ratio(delta, beta):
    """Chance of taking a flip that costs the given energy."""
    if delta <= 0 or beta == 0:  # expect: JIT101 @cost
        return 1.0
    return jnp.exp(-beta * delta)


def flip_ratio_math(delta, beta):
    return math.exp(-beta * delta)  # expect: JIT105 @exp


def flip_ratio_table(delta, beta):
    return WEIGHTS[delta]  # expect: JIT111 @table


def flip_ratio_smooth(delta, beta):
    return jnp.exp(-beta * jnp.maximum(delta, 0))


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


def onsager(beta):
    """Exact magnetisation of the infinite lattice, computed with NumPy on the host."""

    def exact(beta):
        beta = float(beta)
        if beta < 0.4407:
            return np.float32(0.0)
        return np.float32((1 - math.sinh(2 * beta) ** -4) ** 0.125)

    return jax.pure_callback(exact, jax.ShapeDtypeStruct((), jnp.float32), beta)


@jax.jit
def excess(spins, beta):
    return jnp.abs(spins.mean()) - onsager(beta)


@jax.jit
def block_mean(spins, side):
    """Magnetisation of the upper left block."""
    return spins[:side, :side].mean()  # expect: JIT107 @block


@jax.jit
def correlation(spins, distance):
    """Mean product of spins at a distance along a row."""
    return jnp.mean(spins * jnp.roll(spins, distance, axis=1))


def temperature_scan(spins, key, betas):
    found = {}
    for beta in betas:
        spins = sweep(spins, key, beta)
        magnetisation = abs(float(spins.mean()))
        found[beta] = "ordered" if magnetisation > 0.5 else "disordered"
    return found


def main():
    key = jax.random.key(0)
    spins = jnp.ones((6, 6), int)
    print(temperature_scan(spins, key, [0.2, 0.44, 0.8]))
    print(single_flips(spins, key, 0.4, count=20).sum(), excess(spins, 0.5))
    print([flip_ratio_table(delta, 0.3) for delta in (-8, 0, 8)], flip_ratio(4, 0.3))
    for ratio in (flip_ratio, flip_ratio_math, flip_ratio_table):
        print(single_flips(spins, key, 0.4, ratio=ratio).sum())
    print(equilibrate(spins, key, 0.4), correlation(spins, 2), block_mean(spins, 2))


if __name__ == "__main__":
    main()
