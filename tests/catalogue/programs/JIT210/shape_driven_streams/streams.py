"""Streams in dictionaries, in closures and behind helpers."""

import jax
import jax.numpy as jnp


def counter():
    n = 0
    while True:
        n += 1
        yield n


BASE = jax.random.key(0)
streams = {"noise": counter(), "drop": counter()}


def draw(name):
    return jax.random.fold_in(BASE, next(streams[name]))  # expect: JIT210 @draw


@jax.jit
def noisy(x):
    return x + jax.random.normal(draw("noise"), x.shape)


def make_augment(angles):
    angles = iter(angles)

    def augment(image):
        angle = next(angles)  # expect: JIT210 @angle
        return jnp.cos(angle) * image

    return jax.jit(augment)


def augmented():
    augment = make_augment([0.1, 0.2, 0.3])
    return [augment(jnp.ones(2)) for _ in range(3)]
