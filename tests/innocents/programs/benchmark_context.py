"""Looks like a fault of JIT402.

Entering the benchmark's context lowers and compiles each contender ahead of time for its arguments, and the timed calls run those executables.
"""

import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np


def matmul_chain(a, b):
    return a @ b @ a


def einsum_chain(a, b):
    return jnp.einsum("ij,jk,kl->il", a, b, a)


class Benchmark:
    def __init__(self, *contenders, arguments):
        self.contenders = {fn.__name__: jax.jit(fn) for fn in contenders}
        self.arguments = arguments

    def __enter__(self):
        self.contenders = {
            name: fn.lower(*self.arguments).compile()
            for name, fn in self.contenders.items()
        }
        return self

    def __exit__(self, *details):
        self.contenders = {}

    def measure(self, name):
        fn = self.contenders[name]
        start = time.perf_counter()
        result = fn(*self.arguments)
        jax.block_until_ready(result)
        return time.perf_counter() - start, result


if __name__ == "__main__":
    a = jnp.arange(64.0).reshape(8, 8) / 64
    b = jnp.eye(8) * 2
    report = {}
    compiled = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, seconds, **_: compiled.append(event)
    )
    with Benchmark(matmul_chain, einsum_chain, arguments=(a, b)) as bench:
        assert compiled
        for name in list(bench.contenders):
            compiled.clear()
            runs = [bench.measure(name) for _ in range(5)]
            assert not compiled
            report[name] = statistics.median(seconds for seconds, _ in runs)
            assert np.allclose(runs[0][1], 2 * np.asarray(a) @ np.asarray(a), atol=1e-4)
    assert set(report) == {"matmul_chain", "einsum_chain"}
    assert all(seconds > 0 for seconds in report.values())
