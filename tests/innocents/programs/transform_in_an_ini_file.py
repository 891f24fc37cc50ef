"""Looks like a fault of JIT302.

The transform is named in an INI file, and the one of this profile does nothing.

Nothing is wrapped in the loop: `prepare` gives the very function back.
"""
import configparser

import jax
import jax.numpy as jnp

PROFILES = configparser.ConfigParser()
PROFILES.read_string(
    """
    [DEFAULT]
    profile = teaching

    [teaching]
    transform = none

    [cluster]
    transform = jit
    """
)

TRANSFORMS = {"none": lambda fn: fn, "jit": jax.jit}
prepare = TRANSFORMS[PROFILES[PROFILES["DEFAULT"]["profile"]]["transform"]]


def iterate(z, c):
    return z * z + c


def orbit(c, steps):
    z = jnp.zeros_like(c)
    for _ in range(steps):
        z = prepare(iterate)(z, c)
    return z


if __name__ == "__main__":
    assert prepare(iterate) is iterate
    points = orbit(jnp.array([0.0, -1.0, 0.25]), 10)
    assert jnp.all(jnp.abs(points) <= 1.0)
