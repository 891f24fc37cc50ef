"""The lattice and what can be measured on it."""

import typing

import jax
import jax.numpy as jnp

if typing.TYPE_CHECKING:
    from .moves import Move


class Lattice(typing.NamedTuple):
    spins: jax.Array
    coupling: float = 1.0
    field: float | None = None

    def with_move(self, move: "Move", key, beta):
        return self._replace(spins=move(self, key, beta))

    @property
    def sites(self):
        return self.spins.size

    def ordered(self):
        aligned = self.spins == self.spins[0, 0]
        return aligned.mean()


def neighbours(spins):
    for axis in (0, 1):
        for shift in (1, -1):
            yield jnp.roll(spins, shift, axis)


def energy(lattice):
    bonds = sum((lattice.spins == other).sum() for other in neighbours(lattice.spins))
    total = -0.5 * lattice.coupling * bonds
    if lattice.field is not None:
        total = total - lattice.field * (lattice.spins == 0).sum()
    return total


def magnetisation(lattice, states=2):
    counts = jnp.bincount(lattice.spins.ravel(), length=states)
    return (states * counts.max() / lattice.sites - 1) / (states - 1)


def correlation(lattice, distance):
    """The share of equal spins some sites apart along a row."""
    ahead = lattice.spins[:, distance:]  # expect: JIT107 @distance
    return (ahead == lattice.spins[:, : ahead.shape[1]]).mean()


def correlation_rolled(lattice, distance):
    return (jnp.roll(lattice.spins, distance, axis=1) == lattice.spins).mean()
