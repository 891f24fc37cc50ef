"""Transcribe a signal."""

import jax
import jax.numpy as jnp

from frames import mask_frames, spectrogram, trim
from transcribe import (
    LETTERS,
    best_path,
    collapse,
    collapse_padded,
    first_letter,
    keep_mask,
    weighted_length,
)


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
