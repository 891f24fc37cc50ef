"""Looks like a fault of JIT401.

The stopwatch takes its synchroniser from the backend table, and waits before it reads the clock.
"""
import time

import jax
import jax.numpy as jnp

SYNCHRONISERS = {"numpy": lambda result: result, "jax": jax.block_until_ready}


class Stopwatch:
    def __init__(self, backend):
        self.finish = SYNCHRONISERS[backend]
        self.laps = []
        self.waited = 0

    def lap(self, started, result):
        self.finish(result)
        self.waited += all(leaf.is_ready() for leaf in jax.tree.leaves(result))
        self.laps.append(time.perf_counter() - started)
        return result


@jax.jit
def power_iteration(matrix, vector):
    for _ in range(10):
        vector = matrix @ vector
        vector = vector / jnp.linalg.norm(vector)
    return vector


def benchmark(watch, matrix, repeats):
    vector = jnp.ones(matrix.shape[0])
    jax.block_until_ready(power_iteration(matrix, vector))
    for _ in range(repeats):
        start = time.perf_counter()
        vector = power_iteration(matrix, vector)
        watch.lap(start, vector)
    return vector


if __name__ == "__main__":
    watch = Stopwatch("jax")
    vector = benchmark(watch, jnp.eye(300) + 1.0, 4)
    assert watch.waited == 4 and len(watch.laps) == 4
    assert min(watch.laps) > 0.0
    assert abs(float(vector[0]) - 300 ** -0.5) < 1e-4
