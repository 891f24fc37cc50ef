"""Steering vectors of a linear array."""

import os

import jax
import jax.numpy as jnp
import numpy as np

SPACING = 0.5
_tapers = {}
last_size = None


def steering(angle, elements):
    global last_size
    last_size = elements  # expect: JIT203 @size
    phase = 2 * jnp.pi * SPACING * jnp.sin(angle) * np.arange(elements)
    return jnp.exp(1j * phase)


def taper(elements):
    """The window over the elements, computed once per size."""
    if elements not in _tapers:
        _tapers.update({elements: jnp.hanning(elements + 2)[1:-1]})  # expect: JIT202 @taper
    return _tapers[elements]


def window(elements):
    return np.hanning(elements + 2)[1:-1]


def gain():
    return float(os.environ.get("ARRAY_GAIN", "1.0"))  # expect: JIT207 @gain


@jax.jit
def beam(samples, angle):
    """Delay and sum."""
    weights = steering(angle, samples.shape[0]) * taper(samples.shape[0])
    return gain() * jnp.abs(weights.conj() @ samples)


@jax.jit
def plain_beam(samples, angle, level=1.0):
    weights = steering(angle, samples.shape[0]) * window(samples.shape[0])
    return level * jnp.abs(weights.conj() @ samples)
