"""Looks like a fault of JIT207.

`mock.patch.multiple` has `np.random` draw with a traced key for the length of the trace.
"""

from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np


class Keyed:
    """Stands in for np.random while a simulator is traced."""

    def __init__(self, key):
        self.key = key

    def _next(self):
        self.key, sub = jax.random.split(self.key)
        return sub

    def normal(self, loc=0.0, scale=1.0, size=None):
        return loc + scale * jax.random.normal(self._next(), size or ())

    def exponential(self, scale=1.0, size=None):
        return scale * jax.random.exponential(self._next(), size or ())


def queue_wait(load):
    """Waiting times of customers; plain NumPy style."""
    service = np.random.exponential(load, size=12)
    arrival = np.random.exponential(1.0, size=12)
    jitter = np.random.normal(0.0, 0.01)
    waits = [0.0]
    for i in range(12):
        waits.append((abs(waits[-1] + service[i] - arrival[i]) + waits[-1] + service[i] - arrival[i]) / 2)
    return sum(waits) / len(waits) + jitter


@jax.jit
def simulate(key, load):
    with mock.patch.multiple(np, random=Keyed(key)):
        return queue_wait(load)


if __name__ == "__main__":
    keys = jax.random.split(jax.random.key(3), 4)
    outs = [float(simulate(k, 0.7)) for k in keys]
    assert len(set(outs)) == 4 and simulate._cache_size() == 1
    assert outs[0] == float(simulate(keys[0], 0.7))
    assert isinstance(np.random.normal(), float)
    with jax.checking_leaks():
        assert np.isfinite(jax.grad(simulate, 1)(keys[0], 0.7))
