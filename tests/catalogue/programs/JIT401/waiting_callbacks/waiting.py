"""Callbacks and helpers that wait, and spans that end after a wait elsewhere."""

import logging
import time

import jax
import jax.numpy as jnp

log = logging.getLogger(__name__)


@jax.jit
def step(x):
    return jax.lax.fori_loop(0, 10, lambda _, a: jnp.tanh(a @ x), x)


class Progress:
    def on_epoch_begin(self):
        self._started = time.time()

    def on_epoch_end(self, state):
        jax.block_until_ready(state)
        log.info("epoch took %.2f s", time.time() - self._started)


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value):
        self.total += float(value)
        self.count += 1

    @property
    def mean(self):
        return self.total / self.count


def fit(x, callback, epochs=2):
    for _ in range(epochs):
        callback.on_epoch_begin()
        x = step(x)
        callback.on_epoch_end(x)
    return x


def metered(x, steps=2):
    meter = Meter()
    start = time.perf_counter()
    for _ in range(steps):
        x = step(x)
        meter.update(x.mean())
    return meter.mean, (time.perf_counter() - start) / steps


def main():
    x = jnp.eye(200)
    step(x).block_until_ready()
    return fit(x, Progress()), metered(x)
