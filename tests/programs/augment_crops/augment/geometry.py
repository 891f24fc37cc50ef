"""Crops, flips and shifts of one image of shape (height, width, channels)."""

import jax
import jax.numpy as jnp


def centre_crop(image, size):
    height, width = image.shape[:2]
    if size > min(height, width):
        raise ValueError("crop larger than the image")
    top, left = (height - size) // 2, (width - size) // 2
    return image[top : top + size, left : left + size]


def random_crop(key, image, size):
    """Cut a square of a fixed size at a random corner."""
    corner = jax.random.randint(key, (2,), 0, image.shape[0] - size + 1)
    return jax.lax.dynamic_slice(image, (corner[0], corner[1], 0), (size, size, image.shape[2]))


def random_rows(key, image, rows):
    """Keep a random band of rows."""
    top = jax.random.randint(key, (), 0, image.shape[0] - rows + 1)
    return image[top : top + rows]  # expect: JIT107 @rows


def flip(key, image):
    return jnp.where(jax.random.bernoulli(key), image[:, ::-1], image)


def shift(key, image, most):
    """Shift down by a random number of pixels and pad with grey."""
    amount = jax.random.randint(key, (), 0, most)
    padded = jnp.pad(image, ((amount, 0), (0, 0), (0, 0)))  # expect: JIT108 @shift
    return padded[: image.shape[0]]


def roll(key, image, most):
    amount = jax.random.randint(key, (), 0, most)
    return jnp.roll(image, amount, axis=0)
