"""Is it faster than NumPy?"""

import time
import timeit

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def softmax(x):
    shifted = jnp.exp(x - x.max())
    return shifted / shifted.sum()


def softmax_numpy(x):
    shifted = np.exp(x - x.max())
    return shifted / shifted.sum()


def speedup(size=1000):
    x = np.linspace(0, 1, size, dtype=np.float32)
    start = time.perf_counter()
    softmax_numpy(x)
    numpy_seconds = time.perf_counter() - start
    start = time.perf_counter()
    softmax(x).block_until_ready()
    jax_seconds = time.perf_counter() - start  # expect: JIT402 @first
    return numpy_seconds / jax_seconds


def average(repeats=5):
    x = jnp.linspace(0, 1, 100)
    start = time.time()
    for _ in range(repeats):
        softmax(x).block_until_ready()
    return (time.time() - start) / repeats  # expect: JIT402 @average


def by_timeit():
    x = jnp.linspace(0, 1, 200)
    total = timeit.timeit(lambda: softmax(x).block_until_ready(), number=10)  # expect: JIT402 @timeit
    print(f"{total / 10 * 1e6:.0f} microseconds")
    return total


def other_shape(size=2000):
    softmax(jnp.ones(10)).block_until_ready()
    x = jnp.linspace(0, 1, size)
    start = time.perf_counter()
    softmax(x).block_until_ready()
    per_element = (time.perf_counter() - start) / size  # expect: JIT402 @shape
    return per_element


def main():
    print(speedup(), average(), by_timeit(), other_shape())


if __name__ == "__main__":
    main()
