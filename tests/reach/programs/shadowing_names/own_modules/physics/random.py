"""Random numbers from keys."""

import jax


def gauss(key, shape=()):
    return jax.random.normal(key, shape)


def choice(key, values):
    return jax.random.choice(key, values)
