"""Simulated annealing of a small Ising model."""

import jax
import jax.numpy as jnp

BETA = 0.1
SIZE = 8


def set_temperature(temperature):
    global BETA
    BETA = 1.0 / temperature


def energy(spins):
    return -jnp.sum(spins * jnp.roll(spins, 1, 0)) - jnp.sum(spins * jnp.roll(spins, 1, 1))


@jax.jit
def sweep(spins, key):
    """Half of the spins may flip."""
    field = sum(jnp.roll(spins, shift, axis) for shift in (1, -1) for axis in (0, 1))
    accept = jnp.exp(-2.0 * BETA * spins * field)  # expect: JIT208 @beta
    flips = jax.random.uniform(key, spins.shape) < accept
    board = jnp.indices((SIZE, SIZE)).sum(0) % 2 == 0
    return jnp.where(flips & board, -spins, spins)


def anneal(seed=0, temperatures=(10.0, 2.0, 0.5)):
    spins = jnp.ones((SIZE, SIZE))
    key = jax.random.key(seed)
    trace = []
    for temperature in temperatures:
        set_temperature(temperature)
        for _ in range(2):
            key, use = jax.random.split(key)
            spins = sweep(spins, use)
        trace.append(energy(spins))
    return trace


if __name__ == "__main__":
    print(anneal())
