"""The filters themselves; images are float arrays in [0, 1] with channels last."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from .registry import image_filter


def darken_edge(canvas):
    canvas[0, :] *= 0.5  # expect: JIT205 @edge
    return canvas


@image_filter
def passepartout(image):
    shaded = image * 0.9
    return darken_edge(shaded)


@image_filter
def remove_hot_pixel(image):
    median = jnp.median(image)
    image.at[0, 0].set(median)  # expect: JIT212 @hotpixel
    return image


@image_filter
def sharpen(image):
    kernel = np.zeros((3, 3), np.float32)
    kernel[1, :] = -0.25
    kernel[:, 1] = -0.25
    kernel[1, 1] = 2.0
    return jax.scipy.signal.convolve2d(image[..., 0], jnp.asarray(kernel), mode="same")


@image_filter
def remove_dead_row(image):
    image = image.at[1].set(0.5 * (image[0] + image[2]))
    return image


@jax.jit
def blend(lower, upper, mode="average"):
    if mode == "screen":
        return 1.0 - (1.0 - lower) * (1.0 - upper)
    return 0.5 * (lower + upper)


def double_exposure(first, second):
    return blend(first, second, "screen")  # expect: JIT308 @screen


def mixed_exposure(first, second):
    return blend(first, second)


@partial(jax.jit, static_argnums=1)
def thumbnail(image, size):
    return jax.image.resize(image, (*size, image.shape[-1]), "bilinear")


def contact_sheet(images, edge):
    size = [edge, edge]
    return jnp.concatenate([thumbnail(image, size) for image in images], axis=1)  # expect: JIT304 @sheet


def contact_strip(images, edge):
    return jnp.concatenate([thumbnail(image, (edge, edge)) for image in images], axis=0)
