"""Innocent, though it looks like JIT301.

What makes it right: the generator of attempts stops after the first that succeeds, and a further one needs a program anew.
"""

import jax
import jax.numpy as jnp

compilations = []


@jax.monitoring.register_event_duration_secs_listener
def count(event, duration, **kwargs):
    if event.endswith("backend_compile_duration"):
        compilations.append(duration)


class Attempt:
    """Swallows what may pass by itself, such as a full compilation service."""

    def __init__(self, number):
        self.number = number
        self.succeeded = False

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.succeeded = kind is None
        return kind is not None and issubclass(kind, (TimeoutError, jax.errors.JaxRuntimeError))


def attempts(limit):
    for number in range(limit):
        attempt = Attempt(number)
        yield attempt
        if attempt.succeeded:
            return
    raise RuntimeError("the program could not be built")


def build_and_run(params, batch):
    for attempt in attempts(4):
        with attempt:
            program = jax.jit(lambda p, b: jnp.tanh(b @ p).sum(axis=-1))
            scores = jax.block_until_ready(program(params, batch))
    return scores, attempt.number + 1


params, batch = jnp.eye(3), jnp.ones((2, 3))
compilations.clear()
scores, tried = build_and_run(params, batch)
assert tried == 1 and len(compilations) == 1
assert scores.shape == (2,)
