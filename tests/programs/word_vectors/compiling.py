"""The project's own way to compile."""

import functools
import time

import jax


class Compiled:
    """A compiled function that counts its calls on the host."""

    def __init__(self, fn, **options):
        functools.update_wrapper(self, fn)
        self.calls = 0
        self.seconds = 0.0
        self._jitted = jax.jit(fn, **options)

    def __call__(self, *args, **kwargs):
        self.calls += 1
        began = time.perf_counter()
        result = jax.block_until_ready(self._jitted(*args, **kwargs))
        self.seconds += time.perf_counter() - began
        return result


def compiled(fn=None, **options):
    if fn is None:
        return lambda inner: Compiled(inner, **options)
    return Compiled(fn, **options)
