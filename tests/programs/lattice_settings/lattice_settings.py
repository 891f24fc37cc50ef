"""Diffusion on a lattice; everything static is hashable and rightly named."""

import enum
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Boundary(enum.Enum):
    """What lies outside."""

    PERIODIC = "periodic"
    REFLECTING = "reflecting"


@dataclass(frozen=True)
class Settings:
    """All that is known before the run."""

    shape: tuple = (6, 6)
    boundary: Boundary = Boundary.PERIODIC
    stencil: tuple = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Field(NamedTuple):
    """Density and time; a tuple is a pytree, so methods can be compiled."""

    density: jax.Array
    time: jax.Array

    @jax.jit
    def total(self):
        return jnp.sum(self.density)


@partial(jax.jit, static_argnums=(1,), static_argnames=("steps",))
def diffuse(field, settings, rate, *, steps=1):
    """Several explicit steps."""
    for _ in range(steps):
        change = []
        for down, right in settings.stencil:
            change.append(shifted(field.density, (down, right), settings.boundary) - field.density)
        field = Field(field.density + rate * sum(change), field.time + rate)
    return field


def shifted(density, by, boundary):
    """The neighbours' densities."""
    if boundary is Boundary.PERIODIC:
        return jnp.roll(density, by, (0, 1))
    padded = jnp.pad(density, 1, mode="edge")
    rows, columns = density.shape
    return padded[1 - by[0] : 1 - by[0] + rows, 1 - by[1] : 1 - by[1] + columns]


@partial(jax.jit, static_argnames=("reducer", "axis"))
def profile(density, reducer=jnp.mean, axis=None):
    """A function as a static argument; the default is not passed."""
    return reducer(density, axis=axis)


@partial(jax.jit, static_argnames=["mode"])
def render(density, **options):
    """Options beyond the static one are arrays."""
    if options.get("mode", "linear") == "log":
        density = jnp.log1p(density)
    return options.get("brightness", 1.0) * density


class Solver:
    """Plain class; its settings are static and its methods take everything else."""

    def __init__(self, settings):
        self.settings = settings

    @staticmethod
    @partial(jax.jit, static_argnames="shape")
    def drop(shape, amount):
        """All in the middle."""
        grid = jnp.zeros(shape)
        return grid.at[shape[0] // 2, shape[1] // 2].set(amount)

    def start(self, amount):
        """A drop of dye."""
        return Field(self.drop(self.settings.shape, amount), jnp.zeros(()))

    def run(self, amount, rounds=3):
        """Totals after each round."""
        field, totals = self.start(amount), []
        options = {"steps": 2}
        for _ in range(rounds):
            field = diffuse(field, self.settings, 0.1, **options)
            totals.append(float(field.total()))
        return field, totals


def study():
    """Both boundaries."""
    for boundary in Boundary:
        field, totals = Solver(Settings(boundary=boundary)).run(10.0)
        print(boundary.value, totals, profile(field.density, axis=0))
        print(profile(field.density, jnp.max), render(field.density, mode="log", brightness=2.0))
