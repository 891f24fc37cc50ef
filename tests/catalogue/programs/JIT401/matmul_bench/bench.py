"""How fast is this machine?"""

import time
from datetime import datetime
from time import perf_counter

import jax
import jax.numpy as jnp


@jax.jit
def powers(x):
    return jax.lax.fori_loop(0, 30, lambda _, a: jnp.tanh(a @ x), x)


def make(size):
    return jnp.eye(size) + 0.01


def product(size=900):
    x = make(size)
    jnp.dot(x, x).block_until_ready()
    start = time.time()
    y = jnp.dot(x, x)
    elapsed = time.time() - start  # expect: JIT401 @eager
    return elapsed, y


def average(repeats=3, size=300):
    x = make(size)
    powers(x).block_until_ready()
    start = perf_counter()
    for _ in range(repeats):
        powers(x)
    stop = perf_counter()  # expect: JIT401 @dropped
    return (stop - start) / repeats


def converted_late(size=300):
    x = make(size)
    powers(x).block_until_ready()
    begin = time.monotonic()
    total = powers(x).sum()
    print(f"took {time.monotonic() - begin:.3f} s")  # expect: JIT401 @late
    return float(total)


def stamped(size=300):
    x = make(size)
    powers(x).block_until_ready()
    begin = datetime.now()
    y = powers(x)
    seconds = (datetime.now() - begin).total_seconds()  # expect: JIT401 @stamped
    return seconds, y.shape


def one_of_two(size=300):
    x = make(size)
    powers(x).block_until_ready()
    start = time.perf_counter_ns()
    small = jnp.sum(x)
    large = powers(x)
    small.block_until_ready()
    nanoseconds = time.perf_counter_ns() - start  # expect: JIT401 @other
    return nanoseconds, large
