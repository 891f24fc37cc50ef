"""What is measured on a configuration."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from ising import equilibrate, single_flips, sweep
from ratios import flip_ratio, flip_ratio_math, flip_ratio_table


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
