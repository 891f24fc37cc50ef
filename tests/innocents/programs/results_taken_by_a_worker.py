"""Looks like a fault of JIT401.

A worker converts every result to NumPy, and `join` of the queue waits for it.
"""
import queue
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np


class Sink:
    """Writes results in the background; `flush` returns when all are written."""

    def __init__(self):
        self.queue = queue.Queue()
        self.rows = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            value = self.queue.get()
            self.rows.append(np.asarray(value).sum())
            self.queue.task_done()

    def put(self, value):
        self.queue.put(value)

    def flush(self):
        self.queue.join()


@jax.jit
def propagate(state):
    return jax.lax.fori_loop(0, 20, lambda _, s: jnp.tanh(s @ state), state)


def throughput(sink, states):
    start = time.perf_counter()
    for state in states:
        sink.put(propagate(state))
    sink.flush()
    return len(states) / (time.perf_counter() - start)


if __name__ == "__main__":
    states = [jnp.eye(300) * scale for scale in (0.5, 0.6, 0.7)]
    propagate(states[0]).block_until_ready()
    results = []
    sink = Sink()
    put, sink.put = sink.put, lambda value: (results.append(value), put(value))
    assert throughput(sink, states) > 0
    assert len(sink.rows) == 3 and all(result.is_ready() for result in results)
