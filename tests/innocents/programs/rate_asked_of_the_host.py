"""Looks like a fault of JIT208.

A decorator makes the getter a callback, which the compiled function runs in each of its calls.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

RATE = 0.5


def live(fn):
    """The value is that of the moment, in compiled functions as well."""

    @functools.wraps(fn)
    def read():
        return io_callback(lambda: np.float32(fn()), jax.ShapeDtypeStruct((), np.float32))

    return read


@live
def rate():
    return RATE


@jax.jit
def step(weights, grads):
    return weights - rate() * grads


def train(weights, steps):
    global RATE
    losses = []
    for _ in range(steps):
        weights = step(weights, 2 * weights)
        losses.append(float(jnp.sum(weights**2)))
        if losses[-1] < 1e-3:
            RATE = 0.25
            weights = weights + 1.0
    return weights, losses


if __name__ == "__main__":
    _, losses = train(jnp.ones(2), 3)
    assert losses == [0.0, 0.5, 0.125], losses
    RATE = 0.0
    assert step(jnp.ones(2), jnp.ones(2)).tolist() == [1.0, 1.0]
    assert step._cache_size() == 1
