"""Innocent, though it looks like JIT203.

What makes it right: counter reset by whoever calls.
"""

import contextlib

import jax
import jax.numpy as jnp

_depth = 0


@contextlib.contextmanager
def nested():
    global _depth
    _depth += 1
    try:
        yield _depth
    finally:
        _depth -= 1


@jax.jit
def indent(x):
    with nested() as outer, nested() as inner:
        return x * outer + inner


print(indent(jnp.ones(2)))
assert _depth == 0
