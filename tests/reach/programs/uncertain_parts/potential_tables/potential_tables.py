"""Potentials from tables that are read from a file."""

import functools
import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np


def read(path):
    """A dictionary of arrays."""
    loaded = json.loads(pathlib.Path(path).read_text())
    return {name: jnp.asarray(values) for name, values in loaded.items()}


class Potential:
    """Interpolates what is in a table.

    Args:
      table: whatever holds energies and forces by name.
    """

    def __init__(self, table):
        self.table = table

    def energy(self, index):
        value = self.table["energy"][index]
        if value < 0:  # expect: JIT101 @bound
            return jnp.zeros_like(value)
        return value

    def force(self, index, scale):
        left = self.table["force"][index]
        right = self.table["force"][index + 1]
        return max(left, right) * scale  # expect: JIT110 @larger

    def near(self, indices):
        """All energies that are not zero."""
        values = self.table["energy"][indices]
        return values[values != 0]  # expect: JIT109 @nonzero


@functools.partial(jax.jit, static_argnames="unit")
def total_energy(values, unit="ev"):
    """One report must not hide the next."""
    scale = 1.0
    if unit == "kcal":
        scale = 23.06
    elif unit == "auto":
        scale = 1.0 / float(values.max())  # expect: JIT105 @auto
    total = jnp.sum(values) * scale
    if total > 100.0:  # expect: JIT101 @total
        return jnp.float32(100.0)
    return total


@functools.partial(jax.jit, static_argnames="mode")
def smoothing(values, mode="none"):
    """Static in one branch, traced in the other."""
    width = 1 if mode == "none" else values.argmax()
    if mode == "fixed":
        width = 3
    return jnp.ones(width) * values.mean()  # expect: JIT108 @width


@jax.jit
def mixed(parts):
    """Leaves of unlike kinds: arrays, and numbers that became arrays."""
    largest = 0.0
    for leaf in jax.tree.leaves(parts):
        largest = np.maximum(largest, leaf)  # expect: JIT106 @maximum
    return largest


@jax.jit
def summed(parts):
    total = sum(jax.tree.leaves(jax.tree.map(jnp.sum, parts)))
    return total if total else jnp.float32(1.0)  # expect: JIT101 @empty


def compiled(path):
    potential = Potential(read(path))
    return jax.jit(potential.energy), jax.jit(potential.force), jax.jit(potential.near)
