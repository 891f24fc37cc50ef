"""Test particles around a star and a planet; the belt is a registered pytree."""

import functools
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=["positions", "velocities"],
    meta_fields=["label"],
)
@dataclass
class Belt:
    """Positions and velocities in the plane."""

    positions: jax.Array
    velocities: jax.Array
    label: str = field(default="belt")

    @jax.jit
    def energies(self):
        kinetic = 0.5 * (self.velocities**2).sum(-1)
        return kinetic - 1 / jnp.linalg.norm(self.positions, axis=-1)

    @jax.jit
    def drifted(self, dt):
        moved = Belt(self.positions, self.velocities, self.label)
        moved.positions = moved.positions + dt * moved.velocities
        return moved

    def kicked(self, pulls, dt):
        return Belt(self.positions, self.velocities + dt * pulls, self.label)


class Planet:
    """A planet on a circle; hashable by what it is."""

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    def __hash__(self):
        return hash((self.mass, self.radius))

    def __eq__(self, other):
        return (self.mass, self.radius) == (other.mass, other.radius)

    def place(self, time):
        rate = self.radius**-1.5
        return self.radius * jnp.stack([jnp.cos(rate * time), jnp.sin(rate * time)])
