"""Compiled before the clock starts."""

import time
import timeit

import jax
import jax.numpy as jnp


@jax.jit
def norm(x):
    return jnp.sqrt(jnp.sum(x**2))


def warm(size=100, repeats=3):
    x = jnp.ones(size)
    norm(x).block_until_ready()
    start = time.perf_counter()
    for _ in range(repeats):
        norm(x).block_until_ready()
    return (time.perf_counter() - start) / repeats


def ahead_of_time(x):
    compiled = norm.lower(x).compile()
    start = time.perf_counter()
    compiled(x).block_until_ready()
    return time.perf_counter() - start


def skipping_the_first(x, repeats=4):
    times = []
    for k in range(repeats):
        start = time.perf_counter()
        norm(x).block_until_ready()
        elapsed = time.perf_counter() - start
        if k > 0:
            times.append(elapsed)
    return sum(times) / len(times)


def sizes(counts=(2, 3)):
    rows = []
    for count in counts:
        x = jnp.ones(count)
        jax.block_until_ready(norm(x))
        rows.append(timeit.timeit(lambda: norm(x).block_until_ready(), number=2))
    return rows
