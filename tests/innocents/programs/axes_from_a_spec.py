"""Looks like a fault of JIT108.

The mapped axes come from a table by the names of the parameters: what it leaves out is handed through untouched.
"""

import inspect

import jax
import jax.numpy as jnp
import numpy as np

BATCHED = {
    "resample": {"signal": 0},
    "histogram": {"values": 0, "weights": 0},
}


def batched(fn):
    axes = BATCHED[fn.__name__]
    return jax.vmap(fn, in_axes=tuple(axes.get(name) for name in inspect.signature(fn).parameters))


@batched
def resample(signal, count):
    grid = jnp.linspace(0.0, len(signal) - 1.0, count)
    return jnp.interp(grid, jnp.arange(len(signal)), signal)


@batched
def histogram(values, weights, bins, low, high):
    place = jnp.clip((values - low) / (high - low) * bins, 0, bins - 1).astype(int)
    return jnp.zeros(bins).at[place].add(weights)


def spectrogram_rows(recordings, count, bins):
    even = resample(recordings, count)
    return histogram(even, jnp.ones_like(even), bins, -1.0, 1.0)


if __name__ == "__main__":
    recordings = jnp.sin(np.linspace(0.0, 6.0, 50) * np.arange(1, 4)[:, None])
    rows = spectrogram_rows(recordings, 20, 4)
    assert rows.shape == (3, 4) and jnp.all(rows.sum(axis=1) == 20)
