"""Innocent, though it looks like JIT202.

What makes it right: container swapped and put back.
"""

import contextlib

import jax
import jax.numpy as jnp

_losses = []


@contextlib.contextmanager
def collected():
    global _losses
    before, _losses = _losses, []
    try:
        yield _losses
    finally:
        _losses = before


def penalise(value):
    _losses.append(value)


@jax.jit
def objective(w, x):
    with collected() as found:
        penalise(jnp.sum(w**2))
        penalise(jnp.sum(jnp.abs(w)))
        return jnp.sum((w * x) ** 2) + sum(found)


print(objective(jnp.ones(2), jnp.ones(2)))
assert not _losses
