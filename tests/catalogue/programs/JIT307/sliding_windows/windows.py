"""Windows, queues and folds of one size."""

from collections import deque

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def smooth(window):
    return window.mean()


@jax.jit
def evaluate(w, x):
    return jnp.abs(x @ w).mean()


def windows(series, width=4):
    return [smooth(series[t : t + width]) for t in range(len(series) - width + 1)]


def frames(stream, count=3):
    recent = deque([np.zeros(2)] * count, maxlen=count)
    outputs = []
    for frame in stream:
        recent.append(frame)
        outputs.append(smooth(np.stack(recent)))
    return outputs


def replaced(series, steps=3):
    kept = []
    for step in range(steps):
        series = jnp.concatenate([series[1:], series[:1]])
        kept = [*kept, smooth(series)]
    return jnp.stack(kept)


def folds(x, count=3):
    size = len(x) // count
    w = jnp.ones(x.shape[1])
    return [evaluate(w, np.delete(x, slice(k * size, (k + 1) * size), 0)) for k in range(count)]
