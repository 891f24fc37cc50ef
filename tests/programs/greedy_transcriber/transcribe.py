"""Greedy transcription of audio frames with CTC collapsing."""

from functools import lru_cache, partial
from typing import Optional

import jax
import jax.numpy as jnp

BLANK = 0
LETTERS = "_abcde"


@lru_cache(maxsize=None)
def letter_weight(index):
    return 1.0 if index == BLANK else 0.5 + 0.1 * index


def window(size):
    return jnp.hanning(size)


def frame(signal, size, hop):
    count = 1 + (len(signal) - size) // hop
    starts = [hop * i for i in range(count)]
    return jnp.stack([signal[start : start + size] for start in starts]) * window(size)


def best_path(logits):
    return jnp.argmax(logits, axis=-1)


def keep_mask(path):
    previous = jnp.concatenate([jnp.array([-1]), path[:-1]])
    return (path != previous) & (path != BLANK)


@jax.jit
def collapse(logits):
    """Drop repeats and blanks."""
    path = best_path(logits)
    return path[keep_mask(path)]  # expect: JIT109 @collapse


@partial(jax.jit, static_argnames="size")
def collapse_padded(logits, size):
    path = best_path(logits)
    where = jnp.nonzero(keep_mask(path), size=size, fill_value=-1)[0]
    return jnp.where(where >= 0, path[where], BLANK)


@jax.jit
def first_letter(logits):
    path = best_path(logits)
    return ord(LETTERS[path[0]])  # expect: JIT107 @letter


@jax.jit
def weighted_length(logits):
    path = best_path(logits)
    return sum(letter_weight(index) for index in path)  # expect: JIT111 @weight


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


def decode(logits) -> str:
    """Text of one utterance, on the host."""
    path = best_path(logits)
    kept = path[keep_mask(path)]
    text = "".join(LETTERS[index] for index in kept)
    return text or "(silence)"


def main():
    signal = jnp.sin(jnp.arange(40.0))
    print(spectrogram(signal).shape)
    logits = jax.random.normal(jax.random.key(0), (6, len(LETTERS)))
    print(decode(logits), collapse_padded(logits, size=4))
    batch = jnp.stack([logits, logits])
    lengths = jnp.array([4, 6])
    print(mask_frames(batch, lengths).shape, trim(batch, lengths).shape)
    print(collapse(logits), first_letter(logits), weighted_length(logits))


if __name__ == "__main__":
    main()
