"""How many samples a second go through a small transformer block.

    python throughput.py
"""

import statistics
import sys
import time
from contextlib import contextmanager
from functools import partial

import jax
import jax.numpy as jnp

timings = {}


@contextmanager
def stopwatch(name):
    """Add the time of a block to its list."""
    start = time.perf_counter()
    yield
    timings.setdefault(name, []).append(time.perf_counter() - start)


def attention(x):
    weights = jax.nn.softmax(x @ x.T / jnp.sqrt(x.shape[-1]))
    return weights @ x


@partial(jax.jit, static_argnames=("depth",))
def block(x, depth=2):
    skips = [x]
    for _ in range(depth):
        skips.append(attention(skips[-1]) + x)
    return sum(skips)


class Candidate:
    """A named function and its compiled form."""

    def __init__(self, name, function):
        self.name = name
        self.function = function
        self.compiled = jax.jit(function)
        self.runs = 0

    def run(self, x):
        self.runs += 1
        return self.compiled(x).block_until_ready()


def measure(candidate, x, repeats=3):
    """Median time after a warm-up."""
    candidate.run(x)
    for _ in range(repeats):
        with stopwatch(candidate.name):
            candidate.run(x)
    return statistics.median(timings[candidate.name])


def ahead_of_time(x):
    """Cost estimates of the compiled program, for several depths."""
    flops = []
    for depth in (1, 2, 3):
        program = block.lower(x, depth=depth).compile()
        flops.append(program.memory_analysis() is not None)
    return flops


def same_function_again(x, repeats=3):
    """The cache makes this harmless."""
    outputs = []
    for _ in range(repeats):
        outputs.append(jax.jit(attention)(x))
    return outputs


def report(rows, stream=None):
    stream = stream or sys.stdout
    for name, seconds in rows:
        print(f"{name:>10} {seconds * 1e6:8.1f} us", file=stream)
        stream.write("-" * 20 + "\n")


ATTENTION = Candidate("attention", attention)
STACKED = Candidate("stacked", lambda x: attention(attention(x)))


def main():
    x = jnp.ones((16, 8))
    report([(c.name, measure(c, x)) for c in (ATTENTION, STACKED)])
    block(x).block_until_ready()
    with stopwatch("block"):
        block(x).block_until_ready()
    print(ahead_of_time(x), len(same_function_again(x)), timings["block"])


if __name__ == "__main__":
    main()
