"""Looks like a fault of JIT109.

The abstract base has a host and a device detector; the compiling subclass asks for a fixed size and only the eager host one leaves the size to the data.
"""
import abc
import argparse

import jax
import jax.numpy as jnp
import numpy as np


class Detector(abc.ABC):
    extra: dict = {}

    def __init__(self, threshold):
        self.threshold = threshold
        self.run = self.prepare(self.detect)

    @abc.abstractmethod
    def prepare(self, fn): ...

    def detect(self, signal):
        inner = signal[1:-1]
        rising = inner > signal[:-2]
        falling = inner > signal[2:]
        found = rising & falling & (inner > self.threshold)
        (places,) = jnp.nonzero(found, **self.extra)
        return places + 1


class EagerDetector(Detector):
    def prepare(self, fn):
        return fn


class CompiledDetector(Detector):
    extra = {"size": 8, "fill_value": -2}

    def prepare(self, fn):
        return jax.jit(fn)


def parse(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--detector", choices=["eager", "compiled"], default="eager")
    parser.add_argument("--threshold", type=float, default=0.5)
    return parser.parse_args(argv)


def build(options):
    kinds = {"eager": EagerDetector, "compiled": CompiledDetector}
    return kinds[options.detector](options.threshold)


if __name__ == "__main__":
    times = np.linspace(0.0, 3.0, 301)
    signal = jnp.asarray(np.sin(2 * np.pi * times))
    expected = [25, 125, 225]
    eager = build(parse([])).run(signal)
    assert list(np.asarray(eager)) == expected, eager
    compiled = build(parse(["--detector", "compiled"])).run(signal)
    assert compiled.shape == (8,)
    assert [p for p in compiled.tolist() if p >= 0] == expected
    print("peaks at", expected)
