"""Augmentation stages: each maps (key, image) to an image."""

import random

import jax
import jax.numpy as jnp
import numpy as np

STAGES = {}


def stage(name):
    """Register a stage under a name."""

    def register(function):
        STAGES[name] = function
        return function

    return register


@stage("flip")
def flip(key, image):
    return jnp.where(jax.random.bernoulli(key), image[:, ::-1], image)


@stage("erase")
def erase(key, image, size=2):
    """Blank out a patch."""
    row = jax.random.randint(key, (), 0, image.shape[0] - size)
    patch = jnp.zeros((size, size))
    return jax.lax.dynamic_update_slice(image, patch, (row, row))


@stage("brightness")
def brightness(key, image):
    factor = np.random.uniform(0.8, 1.2)  # expect: JIT207 @uniform
    return jnp.clip(image * factor, 0.0, 1.0)


@stage("gamma")
def gamma(key, image):
    """Random contrast."""
    power = random.choice([0.5, 0.8, 1.25, 2.0])  # expect: JIT207 @choice
    return image**power


@stage("border")
def border(key, image):
    """A dark frame around the image."""
    image.at[0].set(0.0)  # expect: JIT212 @border
    image = image.at[-1].set(0.0)
    return image.at[:, 0].set(0.0)


@stage("salt")
def salt(key, image):
    """Set a few pixels to white."""
    rows = jax.random.randint(key, (3,), 0, image.shape[0])
    for row in rows:
        image[row, 0] = 1.0  # expect: JIT205 @salt
    return image


@stage("mosaic")
def mosaic(key, image):
    """Average over blocks of two by two pixels."""
    tiles = []
    weights = np.zeros((2, 2), np.float32)
    weights[:] = 0.25
    for row in range(0, image.shape[0], 2):
        line = [jnp.sum(image[row : row + 2, c : c + 2] * weights) for c in range(0, image.shape[1], 2)]
        tiles.append(jnp.stack(line))
    return jnp.kron(jnp.stack(tiles), jnp.ones((2, 2)))
