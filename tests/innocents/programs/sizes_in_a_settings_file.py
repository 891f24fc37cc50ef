"""Looks like a fault of JIT109.

The keyword arguments, `size` among them, are unpacked from a JSON document.
"""
import json

import jax
import jax.numpy as jnp

SETTINGS = json.loads(
    """
    {
      "peaks": {"size": 4, "fill_value": -1},
      "labels": {"size": 5, "fill_value": 99},
      "histogram": {"length": 8}
    }
    """
)


@jax.jit
def peaks(signal, threshold):
    inner = signal[1:-1]
    rising = (inner > signal[:-2]) & (inner >= signal[2:])
    (found,) = jnp.nonzero(rising & (inner > threshold), **SETTINGS["peaks"])
    return jnp.where(found < 0, -1, found + 1)


@jax.jit
def summarise(labels):
    present = jnp.unique(labels, **SETTINGS["labels"])
    counts = jnp.bincount(labels, **SETTINGS["histogram"])
    return present, counts


if __name__ == "__main__":
    signal = jnp.array([0.0, 2.0, 0.0, 0.5, 0.0, 3.0, 1.0, 0.0])
    assert peaks(signal, 1.0).tolist() == [1, 5, -1, -1]
    present, counts = summarise(jnp.array([3, 1, 1, 7]))
    assert present.tolist() == [1, 3, 7, 99, 99]
    assert counts.tolist() == [0, 2, 0, 1, 0, 0, 0, 1]
