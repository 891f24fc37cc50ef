"""Looks like a fault of JIT313.

Every turn loads a plugin with a model of its own, so that nothing which is cleared would be used again.
"""

import jax
import jax.numpy as jnp
import numpy as np

MODELS = {}


def model(width):
    """Registers the maker of a model, for pictures of that width."""

    def decorate(make):
        MODELS[make.__name__] = (make, width)
        return make

    return decorate


@model(width=8)
def average():
    return jax.jit(lambda images: images.mean((1, 2)))


@model(width=16)
def brightest():
    return jax.jit(lambda images: jnp.sort(images.reshape(len(images), -1))[:, -4:].mean(1))


@model(width=4)
def corner():
    return jax.jit(lambda images: images[:, 0, 0] - images[:, -1, -1])


def leaderboard(repeats):
    """One large model after the other; the programs of the last one only take memory away."""
    board = {}
    for name, (make, width) in MODELS.items():
        predict = make()
        images = np.random.default_rng(0).random((2, width, width), np.float32)
        scores = [np.asarray(predict(images)) for _ in range(repeats)]
        board[name] = float(np.std(scores))
        jax.clear_caches()
    return board


if __name__ == "__main__":
    events = []
    jax.monitoring.register_event_duration_secs_listener(lambda event, *_, **__: events.append(event))
    board = leaderboard(3)
    compiled = [event for event in events if event.endswith("backend_compile_duration")]
    assert len(board) == len(MODELS) == len(compiled), events
