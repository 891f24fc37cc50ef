"""Innocent, though it looks like JIT112.

What makes it right: scalar kept by a wrapper.
"""

import importlib

import jax
import jax.numpy as jnp


def keep_python(function):
    def call(x, order):
        return jax.jit(lambda y: function(y, order))(x)

    return call


kept = getattr(importlib.import_module(__name__), "keep_python")


def power(x, order):
    if isinstance(order, int):
        return x**order
    return jnp.exp(order * jnp.log(x))


raise_to = kept(power)
print(raise_to(jnp.ones(2), 2))
