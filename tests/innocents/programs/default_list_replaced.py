"""Innocent, though it looks like JIT211.

What makes it right: __defaults__ reset by a decorator.
"""

import copy
import functools

import jax
import jax.numpy as jnp


def fresh_defaults(function):
    kept = function.__defaults__

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        function.__defaults__ = copy.deepcopy(kept)
        return function(*args, **kwargs)

    return wrapper


@fresh_defaults
def layers(x, seen=[]):
    seen.append("layer")
    return x * len(seen)


@jax.jit
def forward(x):
    return layers(layers(x))


result = forward(jnp.ones(2))
print(result)
assert float(result[0]) == 1.0
