"""Donations that JAX does not carry out."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, donate_argnums=0)
def norm(x):
    """No output has the shape of the argument."""
    return jnp.sqrt(jnp.sum(x**2))


@partial(jax.jit, donate_argnums=0)
def to_integers(x):
    return jnp.round(x).astype(jnp.int8)


@partial(jax.jit, donate_argnums=0)
def double(x):
    return 2 * x


@jax.jit
def inside(x):
    """Within a trace nothing is donated."""
    y = double(x)
    return x + y


def main():
    x = jnp.arange(3.0)
    length = norm(x)
    rounded = to_integers(x)
    table = np.arange(3.0, dtype=np.float32)
    doubled = double(table)
    return x / length, rounded, table + doubled, inside(x), x
