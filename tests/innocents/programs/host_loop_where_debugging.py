"""Innocent, though it looks like JIT102.

What makes it right: environment decides whether to compile.
"""

import os

import jax
import jax.numpy as jnp

COMPILED = os.environ.get("STEPS_DEBUG") is None


def relax(x):
    while jnp.max(x) > 1:
        x = x * 0.5
    return x


def relax_compiled(x):
    return jax.lax.while_loop(lambda v: jnp.max(v) > 1, lambda v: v * 0.5, x)


solve = jax.jit(relax_compiled) if COMPILED else relax
print(solve(jnp.array([4.0, 2.0])), relax(jnp.array([3.0])))
