"""Innocent, though it looks like JIT106.

What makes it right: environment variable.
"""

import os

import jax
import jax.numpy as jnp
import numpy as np


def reference(x):
    return np.fft.fft(np.asarray(x))


def accelerated(x):
    return jnp.fft.fft(x)


IMPLEMENTATIONS = {"reference": reference, "accelerated": accelerated}
transform = IMPLEMENTATIONS[os.getenv("SPECTRA_IMPLEMENTATION", "accelerated")]


@jax.jit
def power(x):
    return jnp.abs(transform(x)) ** 2


print(power(jnp.ones(4)))
