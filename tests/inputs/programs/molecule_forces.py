"""Pair forces in a periodic box."""

import jax
import jax.numpy as jnp


def displacement(a, b, box):
    delta = a - b
    return delta - box * jnp.round(delta / box)


def pair_energy(r, epsilon, sigma):
    ratio = (sigma / r) ** 6
    return 4 * epsilon * (ratio**2 - ratio)


def total(positions, box, field):
    energy = 0.0
    n = positions.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            r = jnp.linalg.norm(displacement(positions[i], positions[j], box))
            if r < field["cutoff"]:  # expect: JIT101 @cutoff
                energy += pair_energy(r, field["epsilon"], field["sigma"])
    return energy


force = jax.jit(jax.grad(total))


@jax.jit
def verlet(positions, velocities, box, field, dt):
    velocities = velocities - dt * force(positions, box, field)
    return (positions + dt * velocities) % box, velocities
