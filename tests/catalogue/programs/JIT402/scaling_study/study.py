"""Two implementations over several sizes."""

import time

import jax
import jax.numpy as jnp

from implementations import with_cumsum, with_scan


def measure(function, x):
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return time.perf_counter() - start  # expect: JIT402 @measure


def race(x):
    scan, cumsum = jax.jit(with_scan), jax.jit(with_cumsum)
    return measure(scan, x) < measure(cumsum, x)


def scaling(sizes=(8, 16, 32)):
    cumsum = jax.jit(with_cumsum)
    rows = []
    for size in sizes:
        x = jnp.ones(size)
        start = time.time()
        cumsum(x).block_until_ready()
        rows.append((size, time.time() - start))  # expect: JIT402 @sizes
    return rows


def built_inside(x, repeats=3):
    start = time.perf_counter()
    scan = jax.jit(with_scan)
    for _ in range(repeats):
        scan(x).block_until_ready()
    milliseconds = 1e3 * (time.perf_counter() - start) / repeats  # expect: JIT402 @built
    print(f"scan: {milliseconds:.2f} ms per call")
    return milliseconds


def epochs(x, count=3):
    step = jax.jit(lambda w: w - 0.1 * with_cumsum(w))
    seconds = []
    for _ in range(count):
        began = time.perf_counter()
        x = step(x).block_until_ready()
        seconds.append(time.perf_counter() - began)  # expect: JIT402 @epochs
    print(f"mean time of an epoch: {sum(seconds) / len(seconds):.4f} s")
    return seconds
