"""Runs at one temperature, and down a ladder of them."""

from functools import partial

import jax
import jax.numpy as jnp

from potential import cut_forces, forces, masked_forces, total_energy
from thermostat import Andersen, initial_velocities, langevin


def lattice(side=2, spacing=1.3):
    points = [(i, j, k) for i in range(side) for j in range(side) for k in range(side)]
    return jnp.array(points, dtype=jnp.float32) * spacing


def step(positions, velocities, thermostat, dt=0.002):
    velocities = velocities + dt * forces(positions)
    velocities = thermostat.apply(velocities)
    return positions + dt * velocities, velocities


def langevin_step(positions, velocities, key, temperature, dt=0.002):
    velocities = langevin(key, velocities + dt * forces(positions), temperature)
    return positions + dt * velocities, velocities


walled_step = jax.jit(lambda x, v: (x + v, v + 0.01 * cut_forces(x, (0, 1))))
held_step = jax.jit(lambda x, v: (x + v, v + 0.01 * masked_forces(x, (0, 1))))
energy_of = jax.jit(total_energy)


def cool(temperatures, positions, velocities):
    """Anneal: a few steps at each temperature."""
    energies = []
    for temperature in temperatures:
        bath = Andersen(temperature)
        advance = jax.jit(partial(step, thermostat=bath))  # expect: JIT301 @ladder
        for _ in range(2):
            positions, velocities = advance(positions, velocities)
        energies.append(float(energy_of(positions)))
    return positions, energies


def cool_smoothly(temperatures, positions, velocities, key):
    advance = jax.jit(langevin_step)
    for temperature in temperatures:
        key, sub = jax.random.split(key)
        positions, velocities = advance(positions, velocities, sub, temperature)
    return positions


def main():
    positions = lattice()
    velocities = initial_velocities(len(positions), 1.0)
    print(cool([2.0, 1.5, 1.0], positions, velocities)[1])
    print(cool_smoothly([2.0, 1.0], positions, velocities, jax.random.key(0)).shape)
    print(held_step(positions, velocities)[0].shape)


if __name__ == "__main__":
    main()
