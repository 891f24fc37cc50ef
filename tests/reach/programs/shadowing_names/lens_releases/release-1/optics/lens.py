"""Lenses are lists of surfaces."""

import jax.numpy as jnp


def count(surfaces):
    """How many surfaces there are."""
    return len(surfaces)


def power(surfaces):
    return jnp.sum(jnp.stack([1.0 / radius for radius in surfaces]))
