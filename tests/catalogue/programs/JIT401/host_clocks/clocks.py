"""Clocks around host work, deadlines, and names with the time of the day."""

import json
import time
from datetime import datetime

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    return x * 0.5 + 1.0


def load(rows=1000):
    start = time.time()
    data = np.random.default_rng(0).normal(size=(rows, 4))
    text = json.dumps(data[:2].tolist())
    seconds = time.time() - start
    return jnp.asarray(data), text, seconds


def until(deadline, x):
    """Goes on for a while; nothing is measured."""
    end = time.monotonic() + deadline
    while time.monotonic() < end:
        x = step(x)
    return x


def run_name(x):
    y = step(x)
    return f"run-{datetime.now():%Y%m%d-%H%M%S}", y


def read_then_compute(x):
    start = time.perf_counter()
    sizes = [len(line) for line in ("a", "bb")]
    elapsed = time.perf_counter() - start
    return step(x), sizes, elapsed


def every_minute(x, steps=4):
    last = time.time()
    for k in range(steps):
        x = step(x)
        if time.time() - last > 60:
            print("still running", k)
            last = time.time()
    return x


def compile_only(x):
    start = time.perf_counter()
    compiled = step.lower(x).compile()
    compile_seconds = time.perf_counter() - start
    return compiled(x), compile_seconds


def main():
    x, _, _ = load()
    return until(0.01, x), run_name(x), read_then_compute(x), every_minute(x), compile_only(x)
