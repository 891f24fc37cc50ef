"""Looks like a fault of JIT206.

The function that opens and writes the file is fetched from a registry by name and reached only through an ordered io_callback.
"""
import csv
import pathlib
import tempfile

import jax
import jax.numpy as jnp
from jax.experimental import io_callback

SINKS = {}
LOG = pathlib.Path(tempfile.mkdtemp()) / "episodes.csv"


def sink(name):
    def register(fn):
        SINKS[name] = fn
        return fn

    return register


@sink("csv")
def append_row(step, height, velocity):
    with open(LOG, "a", newline="") as handle:
        csv.writer(handle).writerow([int(step), float(height), float(velocity)])


@sink("none")
def discard(step, height, velocity):
    pass


def emit(name, *values):
    io_callback(SINKS[name], None, *values, ordered=True)


@jax.jit
def bounce(step, height, velocity):
    velocity = velocity - 9.81 * 0.05
    height = height + velocity * 0.05
    hit = height < 0.0
    height = jnp.where(hit, -height, height)
    velocity = jnp.where(hit, -0.8 * velocity, velocity)
    emit("csv", step, height, velocity)
    return step + 1, height, velocity


if __name__ == "__main__":
    state = (jnp.int32(0), jnp.float32(2.0), jnp.float32(0.0))
    for _ in range(30):
        state = bounce(*state)
    jax.effects_barrier()
    with open(LOG, newline="") as handle:
        rows = list(csv.reader(handle))
    assert [int(row[0]) for row in rows] == list(range(30))
    assert float(rows[-1][1]) == float(state[1])
    assert len({row[1] for row in rows}) == 30
    assert bounce._cache_size() == 1
    print("rows", len(rows), "last height", rows[-1][1])
