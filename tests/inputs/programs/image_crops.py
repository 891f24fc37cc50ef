"""Crops and flips of images, batch first, channels last."""

import jax
import jax.numpy as jnp


def crop(image, corner, size):
    top, left = corner
    return image[top : top + size, left : left + size]  # expect: JIT107 @slice


def augment(key, image, size):
    corner = jax.random.randint(key, (2,), 0, image.shape[0] - size + 1)
    patch = crop(image, corner, size)
    return (patch - patch.mean(axis=(0, 1))) / 255.0


@jax.jit
def batch_augment(key, images):
    keys = jax.random.split(key, len(images))
    return jax.vmap(lambda k, i: augment(k, i, 8))(keys, images)


@jax.jit
def brighten(images, factor):
    n, h, w, c = images.shape
    if factor > 1:  # expect: JIT101 @factor
        images = jnp.clip(images * factor, 0, 255)
    return images.reshape(n, h * w * c)
