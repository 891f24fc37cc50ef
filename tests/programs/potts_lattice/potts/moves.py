"""Updates of the spins."""

import functools
import typing

import jax
import jax.numpy as jnp
from jax import lax

from .lattice import Lattice, energy, neighbours


class Move(typing.Protocol):
    def __call__(self, lattice: Lattice, key: jax.Array, beta: float) -> jax.Array: ...


def single_flip(lattice, key, beta):
    """Metropolis with one random site."""
    site_key, draw_key = jax.random.split(key)
    row, column = jax.random.randint(site_key, (2,), 0, lattice.spins.shape[0])
    flipped = lattice.spins.at[row, column].set(1 - lattice.spins[row, column])
    change = energy(lattice._replace(spins=flipped)) - energy(lattice)
    return lax.cond(
        jnp.log(jax.random.uniform(draw_key)) < -beta * change,
        lambda: flipped,
        lambda: lattice.spins,
    )


def heat_bath(lattice, key, beta):
    aligned = sum((other == 1).astype(float) - 0.5 for other in neighbours(lattice.spins))
    chance = jax.nn.sigmoid(2 * beta * lattice.coupling * aligned)
    return jax.random.bernoulli(key, chance).astype(lattice.spins.dtype)


def zero_temperature(lattice, key, beta):
    """Greedy descent when it is cold, heat bath otherwise."""
    if 1.0 / beta < 0.1:  # expect: JIT101 @cold
        return jnp.zeros_like(lattice.spins)
    return heat_bath(lattice, key, beta)


def cluster(lattice, key, beta):
    """Grow a cluster from a seed until nothing joins any more."""
    seed = jax.random.randint(key, (2,), 0, len(lattice.spins))
    joined = jnp.zeros(lattice.spins.shape, bool).at[seed[0], seed[1]].set(True)
    bond = 1.0 - jnp.exp(-beta)
    size = 0
    while joined.sum() > size:  # expect: JIT102 @grow
        size = joined.sum()
        key, draw = jax.random.split(key)
        reach = functools.reduce(jnp.logical_or, neighbours(joined))
        joined = joined | reach & (jax.random.uniform(draw, joined.shape) < bond)
    return jnp.where(joined, 1 - lattice.spins, lattice.spins)


MOVES: dict[str, Move] = {
    "flip": single_flip,
    "bath": heat_bath,
    "cold": zero_temperature,
    "cluster": cluster,
}


def sweep(lattice: Lattice, key, beta, move="flip", count=4):
    step = MOVES[move]
    keys = jax.random.split(key, count)
    return lax.scan(lambda state, k: (state.with_move(step, k, beta), None), lattice, keys)[0]
