"""A rod that is insulated at its two ends."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Rod(NamedTuple):
    """Temperatures of the cells and how fast they level out."""

    temperature: jax.Array
    diffusivity: float = 0.2


def bump(cells: int = 16) -> Rod:
    x = jnp.linspace(-1.0, 1.0, cells)
    return Rod(jnp.exp(-8 * x**2))


def laplacian(u):
    padded = jnp.pad(u, 1, mode="edge")
    return padded[2:] - 2 * u + padded[:-2]


def flux(u):
    """Heat that crosses each inner face, face by face."""
    faces = []
    for left in range(u.shape[0] - 1):
        faces.append(u[left + 1] - u[left])
    return jnp.stack(faces)
