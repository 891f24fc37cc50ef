"""Colour changes of one image with values in [0, 1]."""

import jax
import jax.numpy as jnp
import numpy as np

LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)


def grey(image):
    return jnp.broadcast_to((image * LUMA).sum(axis=-1, keepdims=True), image.shape)


def maybe_grey(key, image, probability=0.2):
    if probability == 0.0:
        return image
    if jax.random.uniform(key) < probability:  # expect: JIT101 @grey
        return grey(image)
    return image


def gamma(key, image, low, high):
    exponent = jax.random.uniform(key, (), minval=low, maxval=high)
    return np.power(image, exponent)  # expect: JIT106 @gamma


def gaussian_kernel(sigma, radius=2):
    xs = np.arange(-radius, radius + 1)
    weights = np.exp(-(xs**2) / (2 * sigma**2))
    return weights / weights.sum()


def blur(image, sigma):
    kernel = jnp.asarray(gaussian_kernel(sigma), image.dtype)
    return jax.vmap(
        jax.vmap(lambda line: jnp.convolve(line, kernel, mode="same"), in_axes=1, out_axes=1),
        in_axes=2,
        out_axes=2,
    )(image)
