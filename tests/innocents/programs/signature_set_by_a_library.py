"""Innocent, though it looks like JIT305.

What makes it right: __signature__ set by setattr.
"""

import inspect

import jax
import jax.numpy as jnp


def forward(*args, **kwargs):
    return jnp.tanh(args[0]) * kwargs.get("gain", 1)


def declare(function, **attributes):
    for name, value in attributes.items():
        setattr(function, name, value)
    return function


declare(forward, __signature__=inspect.signature(lambda x, gain=1: None))
fast = jax.jit(forward, static_argnames="gain")
print(fast(jnp.ones(2), gain=2))
