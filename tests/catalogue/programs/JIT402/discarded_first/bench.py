"""A harness that throws its first measurements away."""

import statistics
import time

import jax
import jax.numpy as jnp


def bench(function, *args, warmup=2, repeats=4):
    for _ in range(warmup):
        jax.block_until_ready(function(*args))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(function(*args))
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def all_times(function, x, repeats=4):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(x).block_until_ready()
        times.append(time.perf_counter() - start)
    return statistics.mean(times[1:])


square = jax.jit(lambda x: x @ x)
cube = jax.jit(lambda x: x @ x @ x)


def main():
    x = jnp.eye(20)
    return bench(square, x), all_times(cube, x)
