"""Anneal a small lattice and measure it."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import potts
from potts.lattice import correlation, correlation_rolled

SWEEP = jax.jit(potts.sweep, static_argnames=("move", "count"))


def measure(lattice, *observables, **extra):
    return [observable(lattice, **extra) for observable in observables]


@functools.partial(jax.jit, static_argnums=1)
def survey(lattice, observables):
    return measure(lattice, *observables)


@jax.jit
def survey_at(lattice, distance, rolled=True):
    return measure(lattice, correlation_rolled if rolled else correlation, distance=distance)


@jax.jit
def plain_at(lattice, distance):
    return measure(lattice, correlation, distance=distance)


@jax.jit
def critical_spins(lattice, states):
    values = {0: "down", 1: "up"}
    first = lattice.spins[0, 0]
    return values[first], states  # expect: JIT111 @first


@jax.jit
def frozen(lattice):
    order = lattice.ordered()
    return order, 0.0 if order == 1.0 else 0.5  # expect: JIT101 @frozen


@jax.jit
def domain_sizes(lattice):
    labels = jnp.cumsum(jnp.diff(lattice.spins.ravel(), prepend=0) != 0)
    return jax.ops.segment_sum(jnp.ones(lattice.sites), labels)  # expect: JIT109 @domains


def schedule(start, stop, count):
    ratio = (stop / start) ** (1.0 / max(count - 1, 1))
    return [start * ratio**k for k in range(count)]


def anneal(lattice, key, move="bath"):
    for number, beta in enumerate(schedule(0.2, 2.0, 3)):
        lattice = SWEEP(lattice, jax.random.fold_in(key, number), beta, move=move)
        if float(potts.magnetisation(lattice)) > 0.99:
            break
    return lattice


def main():
    key = jax.random.key(0)
    lattice = potts.Lattice(jax.random.bernoulli(key, 0.5, (4, 4)).astype(int))
    lattice = anneal(lattice, key)
    print(survey(lattice, (potts.energy, potts.magnetisation)), survey_at(lattice, 2))
    print(np.unique(np.asarray(lattice.spins)), anneal(lattice, key, move="flip"))
    print(anneal(lattice, key, move="cold"), anneal(lattice, key, "cluster"))
    print(plain_at(lattice, 1), critical_spins(lattice, 2), frozen(lattice), domain_sizes(lattice))


if __name__ == "__main__":
    main()
