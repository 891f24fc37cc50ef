"""Looks like a fault of JIT313.

The loop schedules the clearing for the end of the process, by `atexit`.
"""
import atexit

import jax
import jax.numpy as jnp


class Cleanup:
    """Runs what was scheduled, once each, when the service stops."""

    def __init__(self):
        self.pending = []

    def __call__(self, fn, when):
        if fn not in self.pending:
            self.pending.append(fn)
            when(fn)


at_end = Cleanup()


@jax.jit
def score(weights, features):
    return jax.nn.sigmoid(features @ weights)


def serve(weights, requests):
    answers = []
    for features in requests:
        answers.append(score(weights, features))
        at_end(jax.clear_caches, atexit.register)
        at_end(score.clear_cache, atexit.register)
    return answers


if __name__ == "__main__":
    answers = serve(jnp.zeros(3), [jnp.ones(3)] * 4)
    assert all(float(answer) == 0.5 for answer in answers)
    assert score._cache_size() == 1
    assert at_end.pending[0] is jax.clear_caches and len(at_end.pending) == 2
