"""Histograms and palettes of images of bytes."""

import jax
import jax.numpy as jnp
import numpy as np

LEVELS = 16


def quantise(image):
    return (image // (256 // LEVELS)).astype(jnp.int32)


@jax.jit
def histogram(image):
    flat = quantise(image).reshape(-1, 3)
    index = flat[:, 0] * LEVELS**2 + flat[:, 1] * LEVELS + flat[:, 2]
    return np.bincount(index, minlength=LEVELS**3)  # expect: JIT106 @bincount


@jax.jit
def palette(image, weights):
    r, g, b = jnp.moveaxis(image, -1, 0)
    grey = weights[0] * r + weights[1] * g + weights[2] * b
    threshold = np.median(grey)  # expect: JIT106 @median
    return grey > threshold
