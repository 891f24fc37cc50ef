"""Type tests that see the types they ask for."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="order")
def norm(x, order):
    if isinstance(order, int):
        return jnp.sum(jnp.abs(x) ** order) ** (1 / order)
    return jnp.max(jnp.abs(x))


@jax.jit
def scaled(x, factor=2.0):
    if isinstance(factor, float) and factor > 1:
        return x * factor
    return x


@jax.jit
def summed(tree):
    if isinstance(tree, dict):
        return sum(tree.values())
    return jnp.sum(tree)


@jax.jit
def as_array(x):
    if not isinstance(x, jax.Array):
        x = jnp.asarray(x)
    return x * 2


def main():
    x = jnp.arange(3.0)
    return norm(x, order=2), norm(x, order="inf"), scaled(x), summed({"a": x}), summed(x), as_array(x)
