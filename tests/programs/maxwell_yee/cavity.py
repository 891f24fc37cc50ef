"""The cavity: its size is known when things are compiled, its fields are not."""

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Fields(NamedTuple):
    electric: jax.Array
    magnetic: jax.Array

    @jax.jit
    def energy(self):
        return 0.5 * ((self.electric**2).sum() + (self.magnetic**2).sum())


@dataclass(frozen=True)
class Cavity:
    """A cavity between two mirrors."""

    cells: int = 32
    courant: float = 0.5
    probes: tuple[int, ...] = (4, 16)

    def absorber(self):
        layer = np.ones(self.cells)
        layer[:2] = 0.9
        layer[-2:] *= 0.9
        return layer

    def pulse(self):
        x = jnp.arange(self.cells)
        return Fields(jnp.exp(-((x - self.cells / 2) ** 2) / 8.0), jnp.zeros(self.cells - 1))

    @partial(jax.jit, static_argnums=0)
    def step(self, fields):
        magnetic = fields.magnetic + self.courant * jnp.diff(fields.electric)
        electric = fields.electric.at[1:-1].add(self.courant * jnp.diff(magnetic))
        electric = electric * self.absorber()
        return Fields(electric, magnetic)

    def read(self, fields):
        readings = {}
        for cell in self.probes:
            readings[cell] = fields.electric[cell]
        return readings

    def refined(self):
        return replace(self, cells=2 * self.cells)
