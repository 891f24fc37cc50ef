"""Looks like a fault of JIT304.

A loop over `__all__` wraps the functions, and turns lists into tuples.
"""
import functools
import sys

import jax
import jax.numpy as jnp

__all__ = ["moments", "shift"]


@functools.partial(jax.jit, static_argnames=("axes", "orders"))
def moments(field, axes, orders=(1, 2)):
    return jnp.stack([jnp.mean(field**order, axis=axes) for order in orders])


@functools.partial(jax.jit, static_argnames="offsets")
def shift(field, offsets):
    return jnp.roll(field, offsets, axis=tuple(range(len(offsets))))


def _accepting_lists(fn):
    def frozen(value):
        return tuple(map(frozen, value)) if isinstance(value, list) else value

    @functools.wraps(fn)
    def call(*args, **kwargs):
        return fn(*map(frozen, args), **{k: frozen(v) for k, v in kwargs.items()})

    return call


_module = sys.modules[__name__]
for _name in __all__:
    setattr(_module, _name, _accepting_lists(getattr(_module, _name)))


def statistics(field):
    return moments(field, [0, 1], orders=[1, 2, 3]), shift(field, offsets=[1, 0])


if __name__ == "__main__":
    field = jnp.arange(6.0).reshape(2, 3)
    found, shifted = statistics(field)
    assert found.shape == (3,) and float(found[0]) == 2.5
    assert jnp.array_equal(shifted[0], field[1])
    statistics(field + 1)
    assert moments.__wrapped__._cache_size() == 1
