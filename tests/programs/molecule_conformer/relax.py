"""Relaxation of conformers."""

import flax.struct
import jax
import jax.numpy as jnp

from .torsion import Torsions, grid


@flax.struct.dataclass
class Relaxation:
    """Angles on their way down."""

    angles: jax.Array
    step: int = 0
    energy: float = jnp.inf

    @jax.jit
    def moved(self, torsions: Torsions, rate):
        value, slope = jax.value_and_grad(torsions.energy)(self.angles)
        return self.replace(angles=self.angles - rate * slope, step=self.step + 1, energy=value)


@jax.jit
def snap(angles, torsions: Torsions):
    rest = grid(torsions.folds)
    return rest[jnp.abs(angles[:, None] - rest).argmin(axis=1)]


class Book:
    """The best conformers, kept between the steps."""

    def __init__(self):
        self.best = {}
        self.count = 0

    def consider(self, name, relaxation):
        self.count += 1
        energy = float(relaxation.energy)
        if energy < self.best.get(name, (float("inf"), None))[0]:
            self.best[name] = (energy, relaxation.angles)


def relax_all(torsions, starts, rounds=3):
    book = Book()
    for name, angles in starts.items():
        relaxation = Relaxation(angles)
        for _ in range(rounds):
            relaxation = relaxation.moved(torsions, 0.05)
            book.consider(name, relaxation)
        print(name, sorted(torsions.terms(relaxation.angles)))
    return book


if __name__ == "__main__":
    chain = Torsions([1.0, 2.0]).softened(0.5)
    print(relax_all(chain, {"trans": jnp.ones(2), "gauche": jnp.zeros(2) + 0.3}).best)
