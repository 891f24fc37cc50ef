"""Lenses are arrays with a mask."""

import jax.numpy as jnp


def count(surfaces):
    """How many surfaces are in use."""
    return jnp.count_nonzero(surfaces)


def power(surfaces):
    """The order of the approximation."""
    return surfaces.ndim
