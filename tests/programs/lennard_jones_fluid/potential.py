"""Pair energies in a periodic box."""

import jax
import jax.numpy as jnp
import numpy as np

evaluations = 0


def displacements(positions, box):
    difference = positions[:, None] - positions[None]
    return difference - box * jnp.round(difference / box)


def total_energy(positions, box=6.0):
    """Lennard-Jones energy of all pairs."""
    global evaluations
    r2 = (displacements(positions, box) ** 2).sum(-1)
    upper = jnp.triu(jnp.ones_like(r2), k=1)
    inverse = upper / jnp.where(upper > 0, r2, 1.0) ** 3
    evaluations += 1  # expect: JIT203 @evaluations
    return (4 * (inverse**2 - inverse)).sum()


forces = jax.jit(jax.grad(lambda positions: -total_energy(positions)))


def cut_forces(positions, frozen):
    """Forces with the wall particles held in place."""
    pull = forces(positions)
    for i in frozen:
        pull[i] = 0.0  # expect: JIT205 @frozen
    return pull


def masked_forces(positions, frozen):
    keep = np.ones((positions.shape[0], 1))
    for i in frozen:
        keep[i] = 0.0
    return forces(positions) * keep
