"""Sound sources."""

import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp

RATE = 8000
ENVELOPE_NOTES = Path("envelopes.txt")


class Sine:
    """A tone of one frequency."""

    def __init__(self, frequency):
        self.frequency = frequency

    @jax.jit  # expect: JIT309 @sine
    def render(self, seconds):
        return jnp.sin(2.0 * jnp.pi * self.frequency * seconds)


class Kick:
    """A tone that falls, as a bass drum does."""

    def __init__(self, start, end):
        self.start = start
        self.end = end
        self.last_phase = None

    @partial(jax.jit, static_argnames="self")
    def render(self, seconds):
        return jnp.sin(self._phase(seconds)) * decay(seconds, 9.0)

    def _phase(self, seconds):
        frequency = self.end + (self.start - self.end) * jnp.exp(-20.0 * seconds)
        phase = 2.0 * jnp.pi * jnp.cumsum(frequency) / RATE
        self.last_phase = phase[-1]  # expect: JIT204 @phase
        return phase


def decay(seconds, speed):
    ENVELOPE_NOTES.write_text(f"last decay: speed {speed}\n")  # expect: JIT206 @envelopes
    return jnp.exp(-speed * seconds)


def hiss(seconds):
    seed = time.time_ns() % 65536  # expect: JIT207 @seed
    return jax.random.normal(jax.random.key(seed), seconds.shape)


@jax.jit
def snare(seconds):
    return hiss(seconds) * jnp.exp(-25.0 * seconds) + 0.2 * jnp.sin(400.0 * seconds)


@jax.jit
def hihat(seconds, key):
    noise = jax.random.normal(key, seconds.shape)
    return jnp.diff(noise, prepend=0.0) * jnp.exp(-60.0 * seconds)
