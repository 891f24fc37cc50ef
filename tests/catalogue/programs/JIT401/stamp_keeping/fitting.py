"""Start times in attributes, in lists and in arguments."""

import time

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def refine(x):
    return jax.lax.fori_loop(0, 30, lambda _, a: jnp.tanh(a @ x), x)


class Progress:
    def __init__(self):
        self.durations = []

    def on_epoch_begin(self):
        self._started = time.time()

    def on_epoch_end(self):
        self.durations.append(time.time() - self._started)


def fit(x, callback, epochs=2):
    x = refine(x).block_until_ready()
    for _ in range(epochs):
        callback.on_epoch_begin()
        x = refine(x)
        callback.on_epoch_end()  # expect: JIT401 @callback
    return x, callback.durations


def stages(x):
    refine(x).block_until_ready()
    stamps = [time.perf_counter()]
    y = refine(x)
    stamps.append(time.perf_counter())  # expect: JIT401 @stamps
    z = refine(y).block_until_ready()
    stamps.append(time.perf_counter())
    return np.diff(stamps), z


def since(start):
    return time.monotonic() - start


def report(x):
    refine(x).block_until_ready()
    start = time.monotonic()
    y = refine(x)
    message = f"refined in {since(start):.3f} s"  # expect: JIT401 @since
    return message, y


def gradient(x):
    """Not compiled as a whole, but dispatched all the same."""
    slope = jax.grad(lambda v: jnp.sum(refine(v)))
    jax.block_until_ready(jax.vmap(jnp.tanh)(x @ x))
    start = time.time()
    y = jax.vmap(jnp.tanh)(x @ x @ x)
    took = time.time() - start  # expect: JIT401 @vmap
    return took, y, slope
