"""Frames, lengths and masks."""

from typing import Optional

import jax
import jax.numpy as jnp


def window(size):
    return jnp.hanning(size)


def frame(signal, size, hop):
    count = 1 + (len(signal) - size) // hop
    starts = [hop * i for i in range(count)]
    return jnp.stack([signal[start : start + size] for start in starts]) * window(size)


@jax.jit
def trim(logits, lengths):
    """Cut a batch to its longest utterance."""
    longest = lengths.max()
    return logits[:, :longest]  # expect: JIT107 @trim


@jax.jit
def mask_frames(logits, lengths, value: Optional[float] = None):
    steps = jnp.arange(logits.shape[1])
    mask = steps[None] < lengths[:, None]
    if value is None:
        value = -1e9
    return jnp.where(mask[..., None], logits, value)


@jax.jit
def spectrogram(signal):
    return jnp.abs(jnp.fft.rfft(frame(signal, 8, 4)))
