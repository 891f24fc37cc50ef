"""Innocent, though it looks like JIT105.

What makes it right: function decorator that nobody knows.
"""

import importlib

import jax
import jax.numpy as jnp


def traceable(function):
    return lambda x: jnp.round(x)


def decorator_named(name):
    return getattr(importlib.import_module("__main__"), name)


if __name__ == "__main__":

    @decorator_named("traceable")
    def quantise(x):
        return float(int(x))

    @jax.jit
    def encode(x):
        return quantise(x) * 2

    print(encode(jnp.float32(2.4)))
