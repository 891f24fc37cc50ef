"""Innocent, though it looks like JIT106.

What makes it right: globals().update.
"""

import jax
import jax.numpy as jnp
import numpy as np

gamma_table = np.linspace(0, 1, 256) ** 2.2


def prepare():
    globals().update(gamma_table=jnp.asarray(gamma_table))


prepare()


@jax.jit
def decode(pixels):
    return gamma_table[pixels]


print(decode(jnp.array([1, 200], jnp.uint8)))
