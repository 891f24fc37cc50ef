"""Looks like a fault of JIT401.

The tasks return what `jax.device_get` gives, and `result()` waits for them.

`submit` of the subclass wraps every task, as the pool of an actor would.
"""
import functools
import time
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np


class HostPool(ThreadPoolExecutor):
    """A pool whose results are on the host."""

    def submit(self, fn, /, *args, **kwargs):
        @functools.wraps(fn)
        def task(*args, **kwargs):
            return jax.device_get(fn(*args, **kwargs))

        return super().submit(task, *args, **kwargs)


@jax.jit
def rollout(policy, state):
    def step(state, _):
        state = jnp.tanh(policy @ state)
        return state, state.mean()

    return jax.lax.scan(step, state, length=50)


def collect(policy, states):
    with HostPool(max_workers=2) as pool:
        start = time.perf_counter()
        futures = [pool.submit(rollout, policy, state) for state in states]
        results = [future.result() for future in futures]
        elapsed = time.perf_counter() - start
    return results, len(states) * 50 / elapsed


if __name__ == "__main__":
    policy = jnp.eye(300) * 0.9
    states = [jnp.ones((300, 8)) * scale for scale in (0.1, 0.2, 0.3)]
    jax.block_until_ready(rollout(policy, states[0]))
    results, speed = collect(policy, states)
    assert speed > 0
    assert all(isinstance(leaf, np.ndarray) for leaf in jax.tree.leaves(results))
    assert results[0][1].shape == (50,)
