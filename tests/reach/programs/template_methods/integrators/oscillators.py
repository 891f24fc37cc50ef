"""Compare the schemes on a spring."""

import jax.numpy as jnp

import stepping


def spring(t, y):
    return jnp.stack([y[1], -y[0]])


def run(scheme, steps=4, **options):
    """A trajectory from rest at one."""
    return scheme(spring, **options).solve(jnp.array([1.0, 0.0]), steps)


def pull(t, x):
    return -x


if __name__ == "__main__":
    print(run(stepping.Euler, guarded=True))
    print(run(stepping.CountingEuler), run(stepping.RecordingMidpoint), run(stepping.AdaptiveHeun))
    print(stepping.Leapfrog(pull).solve(jnp.array([1.0, 0.0]), 4))
    print(stepping.AdaptiveHeun(spring).quality(jnp.array([1.0, 0.0])))
