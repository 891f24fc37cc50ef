"""Blends of two images."""

import jax
import jax.numpy as jnp


@jax.jit
def blend(image, other, weight):
    """Mix two images with one weight, or with a weight map."""
    if isinstance(weight, float):  # expect: JIT112 @weight
        return weight * image + (1 - weight) * other
    return jnp.where(weight > 0.5, image, other)


@jax.jit
def blend_maps(image, other, weight):
    if not isinstance(weight, jax.Array):
        raise TypeError("a weight map is needed")
    if weight.ndim == 0 or weight.shape == image.shape:
        return weight * image + (1 - weight) * other
    return weight[..., None] * image + (1 - weight[..., None]) * other
