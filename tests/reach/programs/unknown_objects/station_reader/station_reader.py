"""Readers of weather stations share method names with what is compiled."""

import csv
import io

import jax
import jax.numpy as jnp

TEXT = "hour,temp\n0,3.5\n6,2.0\n12,9.5\n"


class CsvReader:
    """Host: it branches on numbers."""

    def __init__(self, text):
        self.rows = list(csv.DictReader(io.StringIO(text)))
        self.skipped = 0

    def step(self, state):
        row = self.rows[state % len(self.rows)]
        value = float(row["temp"])
        if value > 50.0:
            self.skipped += 1
            return state + 1, None
        return state + 1, value


class Filter:
    """Compiled: it does not."""

    def __init__(self, alpha=0.5):
        self.alpha = alpha

    def step(self, state, value):
        return self.alpha * state + (1.0 - self.alpha) * value


class Station:
    """Whatever reader and filter it is given."""

    def __init__(self, reader, smoother):
        self.reader = reader
        self.smoother = smoother
        self._step = jax.jit(self.smoother.step)

    def run(self, count):
        position, state, out = 0, jnp.zeros(()), []
        for _ in range(count):
            position, value = self.reader.step(position)
            if value is None:
                continue
            state = self._step(state, value)
            out.append(float(state))
        return out


if __name__ == "__main__":
    print(Station(CsvReader(TEXT), Filter()).run(4))
