"""Decorators that take a function to the host, to another compiler, or into a thread."""

import atexit
import concurrent.futures
import contextlib
import functools

import jax
import jax.numpy as jnp
import numpy as np

try:
    from numba import njit
except ImportError:

    def njit(function=None, **options):
        return function if function is not None else lambda inner: inner


def on_host(shape):
    """Run a NumPy function from compiled code."""

    def decorate(function):
        @functools.wraps(function)
        def called(*args):
            return jax.pure_callback(function, jax.ShapeDtypeStruct(shape, jnp.float32), *args)

        return called

    return decorate


@on_host(())
def median(values):
    ordered = sorted(float(value) for value in values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return np.float32(ordered[middle])
    return np.float32(0.5 * (ordered[middle - 1] + ordered[middle]))


@njit(cache=False)
def longest_run(flags):
    best = run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        if run > best:
            best = run
    return best


@contextlib.contextmanager
def counted(counter):
    counter["calls"] = counter.get("calls", 0) + 1
    yield


CALLS = {}


@counted(CALLS)
def summarise(values):
    """Eager, although it calls compiled code."""
    centre = centred(values)
    if float(jnp.abs(centre).max()) > 10.0:
        raise OverflowError("far away")
    return longest_run(np.asarray(centre) > 0)


@jax.jit
@jax.named_scope("centred")
def centred(values):
    return values - median(values)


def in_pool(function):
    """Start in a thread, hand a future out."""
    pool = concurrent.futures.ThreadPoolExecutor(1)
    atexit.register(pool.shutdown)

    @functools.wraps(function)
    def submit(*args):
        return pool.submit(function, *args)

    return submit


@in_pool
def slow_sum(values):
    total = 0.0
    for value in values:
        total += float(value)
    return total


def main():
    values = jnp.array([1.0, 5.0, 2.0, 4.0])
    print(summarise(values), slow_sum(values).result(), CALLS)


if __name__ == "__main__":
    main()
