"""Chorus, echo and tremolo for mono signals."""

from __future__ import annotations

import dataclasses
import functools
import random
import uuid

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Tremolo:
    rate: float
    depth: float

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, signal):
        wave = np.sin(2 * np.pi * self.rate * np.arange(signal.shape[0]) / 8000)
        return signal * (1.0 - self.depth * 0.5 * (1.0 + wave))


class Echo:
    """An echo with a compiled core that is made when the echo is."""

    def __init__(self, delay, feedback):
        self.delay = delay
        self.feedback = feedback
        self.played = 0
        self._core = jax.jit(functools.partial(self._run, delay, feedback))

    @staticmethod
    def _run(delay, feedback, signal):
        def tick(line, sample):
            out = sample + feedback * line[0]
            return jnp.roll(line, -1).at[-1].set(out), out

        return jax.lax.scan(tick, jnp.zeros(delay), signal)[1]

    def __call__(self, signal):
        self.played += 1
        return self._core(signal)


@jax.jit
def chorus(signal, delays, gains):
    """A sum of copies, each with a delay that swings slowly."""
    index = jnp.arange(signal.shape[0], dtype=jnp.float32)

    def voice(delay, gain):
        swing = delay * (1.0 + 0.1 * jnp.sin(index / 500.0))
        return gain * jnp.interp(index - swing, index, signal)

    return signal + jax.vmap(voice)(delays, gains).sum(axis=0)


class Rack:
    """A chain of effects with a name, and a log of what went through it."""

    def __init__(self, *effects):
        self.name = f"rack-{uuid.uuid4().hex[:6]}"
        self.effects = list(effects)
        self.log = {}

    def insert(self, effect):
        self.effects.append(effect)
        return self

    def process(self, clips):
        done = []
        for clip in clips:
            for effect in self.effects:
                clip = effect(clip)
            peak = float(jnp.abs(clip).max())
            self.log.setdefault(self.name, []).append(peak)
            done.append(clip)
        return done


def random_chorus(voices=3):
    """Settings are drawn on the host, once, and handed over as arrays."""
    delays = np.array([random.uniform(40, 160) for _ in range(voices)], np.float32)
    gains = np.random.default_rng().uniform(0.2, 0.5, voices).astype(np.float32)
    return functools.partial(chorus, delays=delays, gains=gains)


def demo(count=3):
    rack = Rack(Tremolo(5.0, 0.4)).insert(Echo(200, 0.3)).insert(random_chorus())
    clips = [np.sin(np.arange(800) * 0.02 * (k + 1)).astype(np.float32) for k in range(count)]
    return rack, rack.process(clips)
