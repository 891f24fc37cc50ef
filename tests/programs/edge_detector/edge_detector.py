"""Edges, blurs and thresholds on grey images."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

_kernels = {}


def gaussian(radius, sigma):
    """A kernel in plain NumPy, built while tracing and baked in on purpose."""
    kernel = np.zeros((2 * radius + 1, 2 * radius + 1), np.float32)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            kernel[dy + radius, dx + radius] = np.exp(-(dy**2 + dx**2) / (2 * sigma**2))
    kernel /= kernel.sum()
    return kernel


def directional(angles):
    """Sobel kernels turned to the given quarter turns."""
    base = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]], np.float32)
    turned = []
    for angle in angles:
        turned.append(np.rot90(base, angle))
    return np.stack(turned)


def filtered(image, kernel):
    return jax.scipy.signal.convolve2d(image, kernel, mode="same")


@partial(jax.jit, static_argnames=("radius", "sigma"))
def blur(image, radius=1, sigma=1.0):
    return filtered(image, gaussian(radius, sigma))


@partial(jax.jit, static_argnums=(1, 2))
def edges(image, angles, norm):
    responses = jnp.stack([filtered(image, kernel) for kernel in directional(angles)])
    if norm == "max":
        strength = jnp.abs(responses).max(axis=0)
    else:
        strength = jnp.sqrt((responses**2).sum(axis=0))
    strength = strength.at[0].set(0.0)
    strength = strength.at[-1, :].multiply(0.0)
    return strength


@partial(jax.jit, donate_argnums=())
def binarise(image, level=0.5):
    out = jnp.zeros_like(image)
    out = out.at[1:-1, 1:-1].add((image > level)[1:-1, 1:-1].astype(image.dtype))
    return out


def disc(size):
    """A test image: a bright disc with a scratch."""
    y, x = np.mgrid[:size, :size] - size / 2
    image = ((x**2 + y**2) < (size / 3) ** 2).astype(np.float32)
    image[size // 2] = 0.0
    image[:, 0] += 0.1
    return image


def detector_for(radius):
    """Blur and edges for a radius; each is compiled once and kept."""
    if radius not in _kernels:
        kernel = gaussian(radius, 0.5 * radius)
        _kernels[radius] = jax.jit(lambda image: edges(filtered(image, kernel), (0, 1), "max"))
    return _kernels[radius]


def scales(image, radii=(1, 2)):
    found = []
    for radius in radii:
        found.append(detector_for(radius)(image))
    for level in (0.2, 0.4, 0.6):
        found.append(binarise(blur(image, radius=2, sigma=0.8), level))
    return found
