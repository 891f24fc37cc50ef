import jax
import numpy as np

import bench
import clock
import kernels

from tools.observation import compilations

A, B = bench.operands()


def once_in_three():
    calls = []
    real = clock.time.perf_counter

    class Clock:
        @staticmethod
        def perf_counter():
            calls.append(1)
            return real()

    saved, clock.time = clock.time, Clock
    try:
        fresh = jax.jit(lambda a, b: kernels.outer_sum(a, b))
        for _ in range(3):
            fresh(A, B)
    finally:
        clock.time = saved
    return len(calls) == 2


def one_timing():
    clock.TIMINGS.clear()
    fresh = jax.jit(lambda a, b: kernels.outer_sum(a, b))
    for _ in range(3):
        fresh(A, B)
    return len(clock.TIMINGS["outer_sum"]) == 1


def rebound():
    pairs = [(A, B), (B, A), (A, A)]
    bench.compare(kernels.Matmul(), pairs)
    return compilations(lambda: bench.compare(kernels.Matmul(), pairs)) == 3


def rebuilt():
    bench.agreement(A, B)
    return compilations(lambda: bench.agreement(A, B)) >= 2


def on_the_host():
    clock.TIMINGS.clear()
    for _ in range(3):
        bench.warm_up(A, B)
    assert len(clock.TIMINGS["warm_up"]) == 3


def blocks_agree():
    want = kernels.Matmul().contract(A, B)
    assert np.allclose(jax.jit(kernels.Blocked().contract)(A, B), want)


SILENT = {
    "start": once_in_three,
    "end": once_in_three,
    "timings": one_timing,
    "bound": rebound,
    "scaled": rebuilt,
}
INNOCENT = [on_the_host, blocks_agree, lambda: clock.best_of(lambda: A.block_until_ready())]
