"""Innocent, though it looks like JIT303.

What makes it right: globals() keeps the compiled function.
"""

import jax
import jax.numpy as jnp


def step(x):
    return x * 0.5


def compiled_step():
    if "_compiled" not in globals():
        globals()["_compiled"] = jax.jit(step)
    return globals()["_compiled"]


def simulate(x, turns):
    for _ in range(turns):
        x = compiled_step()(x)
    return x


print(simulate(jnp.ones(2), 5))
assert compiled_step()._cache_size() == 1
