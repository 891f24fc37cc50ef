"""A reactor model that reports from the device through callbacks."""

import random
import time
from datetime import datetime
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

readings = []
_alarms = 0


class Journal:
    """Writes what the device sends to a file."""

    def __init__(self, path):
        self.path = Path(path)
        self.lines = 0
        self.latest = None

    def write(self, second, temperature):
        """Runs on the host, for every step."""
        self.latest = temperature
        self.lines += 1
        with open(self.path, "a") as handle:
            handle.write(f"{datetime.now():%H:%M} {int(second)} {float(temperature):.1f}\n")


def keep(temperature):
    """A host list."""
    readings.append(float(temperature))


def alarm(temperature):
    """Count and print what is too hot."""
    global _alarms
    if temperature > 350.0:
        _alarms += 1
        print(f"{time.ctime()}: too hot, {temperature:.1f}")


def sensor_noise(shape):
    """Fresh noise on every call, for it is drawn on the host."""
    return (np.random.normal(size=shape) + random.gauss(0.0, 0.1)).astype(np.float32)


def make_run(journal, steps):
    """A compiled run that reports to a journal."""

    def body(temperature, second):
        temperature = temperature + 0.1 * (400.0 - temperature)
        io_callback(journal.write, None, second, temperature, ordered=True)
        jax.debug.callback(alarm, temperature)
        return temperature, temperature

    @jax.jit
    def run(start):
        jax.debug.print("start at {start:.1f}", start=start)
        final, track = jax.lax.scan(body, start, jnp.arange(steps))
        shape = jax.ShapeDtypeStruct(track.shape, track.dtype)
        measured = track + jax.pure_callback(lambda: sensor_noise(track.shape), shape)
        jax.debug.callback(keep, jnp.mean(measured))
        return final, measured

    return run


def shift(journal, starts, steps=4):
    """Several runs."""
    run = make_run(journal, steps)
    finals = []
    for start in starts:
        final, _ = run(start)
        finals.append(float(final))
    jax.effects_barrier()
    return finals
