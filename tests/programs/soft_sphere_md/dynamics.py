"""Molecular dynamics of soft spheres in a periodic box."""

import chex
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from thermostat import Thermostat, rescale, temperature


@chex.dataclass
class System:
    position: chex.Array
    momentum: chex.Array
    box: chex.Array


def displacement(a, b, box):
    delta = a - b
    return delta - box * jnp.round(delta / box)


def pair_energy(r, cutoff=1.0):
    overlap = jnp.maximum(1.0 - r / cutoff, 0.0)
    return 0.5 * overlap**2


def pair_energy_branch(r, cutoff=1.0):
    if r < cutoff:  # expect: JIT101 @cutoff
        return 0.5 * (1.0 - r / cutoff) ** 2
    return 0.0


def potential(position, box, pair=pair_energy):
    one = lambda a, b: pair(jnp.sqrt((displacement(a, b, box) ** 2).sum() + 1e-12))
    table = jax.vmap(jax.vmap(one, (None, 0)), (0, None))(position, position)
    return 0.5 * (table.sum() - jnp.trace(table))


def make_stepper(dt, thermostat: Thermostat | None = None):
    """One velocity Verlet step with an optional thermostat at its end."""

    def step(system: System, _=None):
        force = -jax.grad(potential)(system.position, system.box)
        half = system.momentum + 0.5 * dt * force
        position = (system.position + dt * half) % system.box
        momentum = half - 0.5 * dt * jax.grad(potential)(position, system.box)
        if thermostat is not None:
            momentum = thermostat(momentum)
        return system.replace(position=position, momentum=momentum), temperature(momentum)

    return step


def run(system, steps, **settings):
    return lax.scan(make_stepper(0.01, **settings), system, None, length=steps)


@jax.jit
def neighbours(system, cutoff):
    delta = displacement(system.position[:, None], system.position[None], system.box)
    close = (delta**2).sum(-1) < cutoff**2
    return jnp.argwhere(close)  # expect: JIT109 @pairs


@jax.jit
def neighbours_fixed(system, cutoff):
    delta = displacement(system.position[:, None], system.position[None], system.box)
    close = (delta**2).sum(-1) < cutoff**2
    return jnp.argwhere(close, size=4 * len(system.position), fill_value=-1)


@jax.jit
def cell_list(system, cells):
    index = jnp.floor(system.position / system.box * cells).astype(int)
    counts = jnp.zeros((cells, cells))  # expect: JIT108 @cells
    return counts.at[index[:, 0], index[:, 1]].add(1.0)


def radial_distribution(system, bins=8):
    """Binned distances, by NumPy on the host."""
    position, box = np.asarray(system.position), np.asarray(system.box)
    delta = position[:, None] - position
    delta -= box * np.round(delta / box)
    distance = np.sqrt((delta**2).sum(-1))[np.triu_indices(len(position), 1)]
    counts, _ = np.histogram(distance[distance < box.min() / 2], bins=bins)
    return counts / max(counts.sum(), 1)


def lattice(side=3, seed=0):
    grid = jnp.stack(jnp.meshgrid(jnp.arange(side), jnp.arange(side)), -1).reshape(-1, 2)
    momentum = 0.1 * jax.random.normal(jax.random.key(seed), grid.shape)
    return System(position=0.9 * grid, momentum=momentum, box=jnp.full(2, 0.9 * side))


def main():
    system, heat = run(lattice(), 5, thermostat=Thermostat(0.02))
    print(heat, radial_distribution(system), neighbours_fixed(system, 1.0).shape)
    print(run(system, 5, thermostat=Thermostat(0.02, rule=rescale)))
    print(jax.jit(potential, static_argnums=2)(system.position, system.box, pair_energy_branch))
    print(neighbours(system, 1.0), cell_list(system, 3))


if __name__ == "__main__":
    main()
