"""Looks like a fault of JIT103.

A base class flattens its subclasses by the names in a class attribute: those belong to the structure.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Tree:
    structure = ()

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        jax.tree_util.register_pytree_node(cls, cls._flatten, cls._unflatten)

    def _flatten(self):
        values = dict(vars(self))
        fixed = tuple((name, values.pop(name)) for name in self.structure)
        return tuple(values.values()), (tuple(values), fixed)

    @classmethod
    def _unflatten(cls, aux, children):
        names, fixed = aux
        self = object.__new__(cls)
        vars(self).update(zip(names, children), **dict(fixed))
        return self


class Mesh(Tree):
    structure = ("spacing", "periodic")

    def __init__(self, values, spacing, periodic=True):
        self.values = values
        self.spacing = spacing
        self.periodic = periodic


@jax.jit
def derivative(mesh):
    assert mesh.spacing > 0, "cells must have a size"
    assert mesh.periodic, "the spectral derivative wraps around"
    waves = 2j * jnp.pi * jnp.fft.fftfreq(mesh.values.size, mesh.spacing)
    return jnp.fft.ifft(waves * jnp.fft.fft(mesh.values)).real


if __name__ == "__main__":
    grid = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
    slope = derivative(Mesh(jnp.sin(grid), grid[1]))
    assert jnp.allclose(slope, jnp.cos(grid), atol=1e-4)
    try:
        derivative(Mesh(jnp.sin(grid), grid[1], periodic=False))
    except AssertionError:
        pass
    else:
        raise SystemExit("the check did not see the flag")
