"""Innocent, though it looks like JIT401.

What makes it right: __exit__ that waits.
"""

import time

import jax
import jax.numpy as jnp


class Stopwatch:
    def __init__(self):
        self.pending = []

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def watch(self, value):
        self.pending.append(value)
        return value

    def __exit__(self, *exc):
        for value in self.pending:
            getattr(value, "block_" + "until_ready")()
        self.seconds = time.perf_counter() - self.start


multiply = jax.jit(lambda a: a @ a)
a = jnp.ones((8, 8))
multiply(a)
with Stopwatch() as watch:
    watch.watch(multiply(a))
print(watch.seconds >= 0)
