"""Cells of a grid; `labs` and `labs.fluids` are namespace packages."""

import jax.numpy as jnp


def flux(field):
    return jnp.diff(field, prepend=field[:1])


def limited(field):
    """Limit the flux where it is steep."""
    steep = jnp.abs(flux(field)) > 1.0
    if steep.any():  # expect: JIT101 @steep
        return jnp.clip(flux(field), -1.0, 1.0)
    return flux(field)


def wet(field):
    return jnp.where(field > 0)[0]  # expect: JIT109 @wet
