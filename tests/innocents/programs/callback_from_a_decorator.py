"""Innocent, though it looks like JIT105.

What makes it right: decorator that runs the function on the host.
"""

import importlib

import jax
import jax.numpy as jnp


def on_host(function):
    def wrapped(x):
        shape = jax.ShapeDtypeStruct((), x.dtype)
        return jax.pure_callback(lambda v: jnp.asarray(function(v), x.dtype), shape, x)

    return wrapped


hosted = importlib.import_module(__name__).__dict__["on_host"]


@hosted
def grade(x):
    return 1.0 if float(x) > 0.5 else 0.0


@jax.jit
def score(x):
    return grade(x.mean()) + 1


print(score(jnp.ones(3)))
