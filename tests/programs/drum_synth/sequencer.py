"""Patterns of beats, mixed down."""

import jax
import jax.numpy as jnp
import numpy as np
from oscillators import RATE, Kick, hihat, snare

BEAT = RATE // 8
SECONDS = np.arange(BEAT) / RATE


def lay_out(pattern, sound):
    """Repeat a sound where the pattern has a beat."""

    @jax.jit  # expect: JIT303 @track
    def place(beats):
        return (beats[:, None] * sound[None, :]).ravel()

    return place(jnp.asarray(pattern, jnp.float32))


@jax.jit
def mix_down(tracks):
    loudest = jnp.abs(jnp.stack(tracks)).sum(axis=0).max()
    return sum(tracks) / loudest


def four_on_the_floor(key):
    drum = Kick(150.0, 45.0)
    tracks = []
    tracks.append(lay_out([1, 0, 1, 0], drum.render(SECONDS)))
    tracks.append(lay_out([0, 1, 0, 1], snare(SECONDS)))
    tracks.append(lay_out([1, 1, 1, 1], hihat(SECONDS, key)))
    return mix_down(tracks)


def save(samples, path):
    with open(path, "wb") as out:
        out.write(np.asarray(samples * 32767, np.int16).tobytes())
    print("wrote", len(samples) / RATE, "seconds")


if __name__ == "__main__":
    save(four_on_the_floor(jax.random.key(4)), "beat.raw")
