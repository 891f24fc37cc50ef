"""Filters that were made static until JAX stopped complaining."""

import functools

import jax
import jax.numpy as jnp
import numpy.typing as npt
from jax import Array
from jaxtyping import Float


@functools.partial(jax.jit, static_argnames=["footprint"])
def dilate(image: Array, footprint: npt.NDArray) -> Array:  # expect: JIT304 @ndarray
    rows, columns = footprint.shape
    padded = jnp.pad(image, ((rows // 2,) * 2, (columns // 2,) * 2))
    shifted = [
        padded[i : i + image.shape[0], j : j + image.shape[1]] for i in range(rows) for j in range(columns)
    ]
    return jnp.max(jnp.stack(shifted), axis=0)


@jax.jit(static_argnames="psf")
def deconvolve(image, psf: Float[Array, "h w"]):  # expect: JIT304 @jaxtyping
    return jnp.fft.ifft2(jnp.fft.fft2(image) / jnp.fft.fft2(psf, image.shape)).real


class Pyramid:
    @staticmethod
    @functools.partial(jax.jit, static_argnums=(1,))
    def blend(levels, masks):  # expect: JIT304 @masks
        smooth = masks.astype(jnp.float32).mean(axis=(1, 2))
        return jnp.tensordot(smooth, levels, 1)
