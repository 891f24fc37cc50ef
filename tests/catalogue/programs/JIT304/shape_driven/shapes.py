"""Static tuples of numbers that the body turns into arrays."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames=("taps", "pads"))
def filtered(signal, taps, pads):
    kernel = np.asarray(taps)
    window = kernel[:, None] * kernel[None, :]
    signal = jnp.pad(signal, pads)
    return jnp.convolve(signal, kernel.sum() * jnp.asarray(taps), mode="same") + window.size


@partial(jax.jit, static_argnums=(1,))
def gathered(x, index):
    if index is None:
        return x
    rows, *columns = index
    return x[rows, columns[0]] if columns else x[rows]


def caller(x, taps):
    return filtered(x, taps=tuple(float(tap) for tap in taps), pads=((1, 1),))


def main():
    x = jnp.arange(4.0)
    grid = x[:, None] * x
    return caller(x, np.ones(3)), gathered(grid, (1, 2)), gathered(grid, None)
