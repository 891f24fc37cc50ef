"""Looks for gaps that the planet clears."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from belt import Belt, Planet


def pull(positions, centre, mass):
    offset = positions - centre
    return -mass * offset / (jnp.linalg.norm(offset, axis=-1, keepdims=True) ** 3 + 1e-3)


@partial(jax.jit, static_argnames=("planets", "substeps"))
def advance(belt, time, dt, planets=(), substeps=1):
    """Leapfrog with a number of substeps."""
    for _ in range(substeps):
        pulls = [pull(belt.positions, jnp.zeros(2), 1.0)]
        for planet in planets:
            pulls.append(pull(belt.positions, planet.place(time), planet.mass))
        belt = belt.kicked(sum(pulls), dt).drifted(dt)
        time += dt
    return belt, time


def ring(count):
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    radii = np.linspace(0.5, 1.5, count)
    positions = radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], -1)
    velocities = np.empty_like(positions)
    velocities[:, 0] = -np.sin(angles) / np.sqrt(radii)
    velocities[:, 1] = np.cos(angles) / np.sqrt(radii)
    return Belt(jnp.asarray(positions), jnp.asarray(velocities), "ring")


class Survey:
    """Energies of belts, by label."""

    def __init__(self):
        self.seen = {}
        self.rounds = 0

    def look(self, belt):
        self.rounds += 1
        self.seen.setdefault(belt.label, []).append(np.asarray(belt.energies()))


def watch(rounds=3):
    survey = Survey()
    belt, time = ring(12), 0.0
    jupiter = Planet(0.01, 2.0)
    for _ in range(rounds):
        belt, time = advance(belt, time, 0.01, planets=(jupiter,), substeps=2)
        survey.look(belt)
    return survey


if __name__ == "__main__":
    result = watch()
    for label, rows in result.seen.items():
        print(label, result.rounds, rows[-1].mean())
