"""Innocent, though it looks like JIT106.

What makes it right: global statement.
"""

import jax
import jax.numpy as jnp
import numpy as np

codebook = np.linspace(-1, 1, 16)


def place(device=None):
    global codebook
    codebook = jax.device_put(codebook, device)


place()


@jax.jit
def dequantise(codes):
    return codebook[codes]


print(dequantise(jnp.array([0, 15])))
