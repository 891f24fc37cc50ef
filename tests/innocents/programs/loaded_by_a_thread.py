"""Innocent, though it looks like JIT106.

What makes it right: thread.
"""

import threading

import jax
import jax.numpy as jnp
import numpy as np


class Prefetcher:
    def __init__(self, rows):
        self.rows = np.asarray(rows)
        worker = threading.Thread(target=self._move)
        worker.start()
        worker.join()

    def _move(self):
        self.rows = jnp.asarray(self.rows)


data = Prefetcher([[1.0, 2.0], [3.0, 4.0]])


@jax.jit
def row(i):
    return data.rows[i]


print(row(jnp.int32(1)))
