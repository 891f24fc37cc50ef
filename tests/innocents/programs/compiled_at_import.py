"""Looks like a fault of JIT402.

The decorator compiles ahead, for the shapes that stand beside the function, before anything is measured.
"""

import functools
import time

import jax
import jax.numpy as jnp
import numpy as np


def ahead_of_time(*signatures, dtype=np.float32):
    """Serving processes must not compile: an unknown shape is an error."""

    def decorate(fn):
        programs = {}
        for shapes in signatures:
            specs = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
            programs[shapes] = jax.jit(fn).lower(*specs).compile()

        @functools.wraps(fn)
        def call(*arrays):
            return programs[tuple(array.shape for array in arrays)](*arrays)

        return call

    return decorate


@ahead_of_time(((64, 8), (8,)), ((256, 8), (8,)))
def score(candidates, query):
    return jax.nn.softmax(candidates @ query / jnp.sqrt(query.size))


def mean_latency(rows, rounds=5):
    candidates, query = np.ones((rows, 8), np.float32), np.ones(8, np.float32)
    start = time.perf_counter()
    for _ in range(rounds):
        score(candidates, query).block_until_ready()
    return (time.perf_counter() - start) / rounds


if __name__ == "__main__":
    events = []
    jax.monitoring.register_event_duration_secs_listener(lambda event, *_, **__: events.append(event))
    latencies = [mean_latency(64), mean_latency(256)]
    assert all(latency > 0.0 for latency in latencies)
    assert not any("compile" in event or "trace" in event for event in events), events
