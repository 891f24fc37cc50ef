"""All the ways to wait."""

import sys
import time

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def work(x):
    return jax.lax.fori_loop(0, 20, lambda _, a: jnp.tanh(a @ x), x)


def measure(finish, x):
    work(x).block_until_ready()
    start = time.perf_counter()
    finish(work(x))
    return time.perf_counter() - start


WAYS = [
    lambda y: y.block_until_ready(),
    lambda y: jax.block_until_ready({"y": y}),
    lambda y: np.asarray(y),
    lambda y: float(y[0, 0]),
    lambda y: y.sum().item(),
    lambda y: jax.device_get(y),
    lambda y: print(y[0, 0], file=sys.stderr),
    lambda y: y.max() > 0 and 1 or 2,
]


def chained(x, steps=3):
    work(x).block_until_ready()
    start = time.time()
    for _ in range(steps):
        x = work(x)
    x.block_until_ready()
    return (time.time() - start) / steps


def logged(x):
    work(x).block_until_ready()
    start = time.time()
    y = work(x)
    print(f"norm {jnp.linalg.norm(y):.2f} after {time.time() - start:.2f} s")
    return y


def both(x):
    work(x).block_until_ready()
    start = time.time()
    results = [work(x), work(2 * x)]
    jax.block_until_ready(results)
    return time.time() - start


def stop(result, start):
    jax.block_until_ready(result)
    return time.time() - start


def by_helper(x):
    start = time.time()
    return stop(work(x), start)


def all_ways(x):
    return [measure(way, x) for way in WAYS], chained(x), logged(x), both(x), by_helper(x)
