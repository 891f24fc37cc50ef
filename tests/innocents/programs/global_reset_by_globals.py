"""Innocent, though it looks like JIT203.

What makes it right: global put back by globals().
"""

import jax
import jax.numpy as jnp

current = None


def scale(x):
    return x * current


@jax.jit
def scoped(x, factor):
    global current
    before = dict(current=current)
    current = factor
    try:
        return scale(x)
    finally:
        globals().update(before)


print(scoped(jnp.ones(2), 3.0))
assert current is None
