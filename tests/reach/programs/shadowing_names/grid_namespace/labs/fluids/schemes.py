"""Explicit schemes."""

import jax

from . import cells
from .cells import wet


@jax.jit
def upwind(field, dt):
    return field - dt * cells.flux(field)


@jax.jit
def minmod(field, dt):
    return field - dt * cells.limited(field)


@jax.jit
def wet_mean(field):
    return field[wet(field)].mean()
