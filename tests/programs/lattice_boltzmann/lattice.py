"""The nine velocities and their weights."""

import jax
import jax.numpy as jnp
import numpy as np

VELOCITIES = np.array(
    [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
)
WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]


class D2Q9:
    """Moments and equilibria of the nine populations."""

    def __init__(self, relaxation):
        self.relaxation = relaxation

    def density(self, f):
        return f.sum(axis=0)

    def momentum(self, f):
        return jnp.einsum("qd,qxy->dxy", jnp.asarray(VELOCITIES, f.dtype), f)

    def equilibrium(self, f):
        density = self.density(f)
        velocity = self.momentum(f) / density
        along = jnp.einsum("qd,dxy->qxy", jnp.asarray(VELOCITIES, f.dtype), velocity)
        speed = (velocity**2).sum(axis=0)
        parts = []
        for weight, part in zip(WEIGHTS, along):
            parts.append(weight * density * (1 + 3 * part + 4.5 * part**2 - 1.5 * speed))
        return jnp.stack(parts)

    def collide(self, f):
        return f + (self.equilibrium(f) - f) / self.relaxation


collide = jax.jit(D2Q9.collide)  # expect: JIT309 @collide


def stream(f):
    """Move every population along its velocity."""
    moved = [None] * len(VELOCITIES)
    for q, (dx, dy) in enumerate(VELOCITIES):
        moved[q] = jnp.roll(f[q], (dx, dy), axis=(0, 1))
    return jnp.stack(moved)
