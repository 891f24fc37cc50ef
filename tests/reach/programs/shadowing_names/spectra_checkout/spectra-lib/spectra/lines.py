"""Absorption lines."""

import jax
import jax.numpy as jnp


@jax.jit
def equivalent_width(flux, continuum):
    depth = 1.0 - flux / continuum
    if depth.min() < 0:  # expect: JIT101 @emission
        depth = jnp.maximum(depth, 0.0)
    return depth.sum()


@jax.jit
def strongest(flux, lines: list[float]):
    """The wavelength of the deepest line."""
    return lines[flux.argmin()]  # expect: JIT107 @deepest


def profile(x, width):
    return jnp.exp(-((x / width) ** 2))


fast_profile = jax.jit(profile)
