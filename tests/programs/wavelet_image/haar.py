"""Haar wavelets, thresholding and a few filters for grey images."""

import functools
import itertools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from scipy import ndimage


def analyse(image):
    rows = (image[::2] + image[1::2]) / 2, (image[::2] - image[1::2]) / 2
    parts = []
    for half in rows:
        parts.append((half[:, ::2] + half[:, 1::2]) / 2)
        parts.append((half[:, ::2] - half[:, 1::2]) / 2)
    return parts


@functools.partial(jax.jit, static_argnames="levels")
def pyramid(image, levels=2):
    """Details of every level, then the last average."""
    bands = []
    for _ in range(levels):
        if min(image.shape) < 2 or any(side % 2 for side in image.shape):
            break
        image, *details = analyse(image)
        bands.extend(details)
    return (*bands, image)


@jax.jit
def pyramid_to(image, smallest):
    """Halve the image until its contrast falls below a bound."""
    bands = []
    while len(bands) < 9:
        image, *details = analyse(image)
        bands += details
        if (contrast := image.max() - image.min()) < smallest:  # expect: JIT101 @contrast
            break
    return bands, contrast


def threshold_band(band, level, mode):
    if mode == "hard":
        return jnp.where(jnp.abs(band) > level, band, 0.0)
    if mode == "soft":
        return jnp.sign(band) * jnp.maximum(jnp.abs(band) - level, 0.0)
    weak = jnp.abs(band) <= level
    return band.at[weak].set(0.0)  # expect: JIT109 @weak


@functools.partial(jax.jit, static_argnames=["mode"])
def denoise(bands, level, mode="soft"):
    *details, average = bands
    return [threshold_band(band, level, mode) for band in details] + [average]


def smooth(image, width):
    return ndimage.uniform_filter(image, width)  # expect: JIT106 @smooth


def box_blur(image, width):
    shifts = itertools.product(range(-width, width + 1), repeat=2)
    return sum(jnp.roll(image, s, (0, 1)) for s in shifts) / (2 * width + 1) ** 2


BLURS = [box_blur, smooth]


def unsharp(image, blur=box_blur, amount=0.5):
    return image + amount * (image - blur(image, 1))


sharpen = jax.jit(unsharp, static_argnames=("blur",))


@jax.jit
def crop(image, top, height):
    window = lax.dynamic_slice_in_dim(image, top, 4)
    return window, lax.dynamic_slice_in_dim(image, top, height)  # expect: JIT108 @crop


def otsu(image, bins=8):
    """The level that separates the two classes best, as a scan over all levels."""
    counts, edges = jnp.histogram(image, bins=bins)
    total = counts.sum()

    def score(best, k):
        below = jnp.where(jnp.arange(bins) <= k, counts, 0).sum() / total
        spread = below * (1 - below)
        if spread > best[0]:  # expect: JIT101 @spread
            best = (spread, edges[k + 1])
        return best, spread

    return lax.scan(score, (0.0, edges[0]), jnp.arange(bins))[0]


@jax.jit
def gamma(image, exponent=None, table=np.linspace(0.0, 1.0, 5)):
    if exponent is None:
        return jnp.interp(image, table, table**2)
    return image**exponent


@jax.jit
def quantise(image, table):
    level = jnp.searchsorted(table, image.mean())
    outer = level in (0, table.shape[0])  # expect: JIT110 @level
    return jnp.where(outer, jnp.round(image), image)


def show(image, shades=" .:#"):
    """Characters for the terminal; plain host code."""
    scaled = np.clip(np.asarray(image) * len(shades), 0, len(shades) - 1).astype(int)
    return "\n".join("".join(shades[value] for value in row) for row in scaled)


def main():
    image = jax.random.uniform(jax.random.key(0), (8, 8))
    bands = pyramid(image, levels=2)
    print(show(gamma(image)), show(sharpen(image)), gamma(image, 2.0).shape)
    for mode in ("soft", "hard"):
        print(mode, [band.shape for band in denoise(bands, 0.1, mode=mode)])
    print(denoise(bands, 0.1, mode="erase"), pyramid_to(image, 0.2), otsu(image))
    print([sharpen(image, blur=blur) for blur in BLURS], crop(image, 1, 3))
    print(quantise(image, jnp.array([0.3, 0.6])))


if __name__ == "__main__":
    main()
