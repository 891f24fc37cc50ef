"""Looks like a fault of JIT106.

The table computes with the attribute `np`, which `to_device` replaces by jax.numpy.
"""
import importlib

import jax
import numpy


class LookupTable:
    np = numpy

    def __init__(self, knots, values):
        self.knots = self.np.asarray(knots, dtype="float32")
        self.values = self.np.asarray(values, dtype="float32")

    def to_device(self, namespace="jax.numpy"):
        self.np = importlib.import_module(namespace)
        for name in ("knots", "values"):
            setattr(self, name, self.np.asarray(getattr(self, name)))
        return self

    def __call__(self, x):
        np = self.np
        clipped = np.clip(x, self.knots[0], self.knots[-1])
        place = np.searchsorted(self.knots, clipped)
        assert place.shape == x.shape
        return np.interp(clipped, self.knots, self.values)


viscosity = LookupTable([0.0, 50.0, 100.0], [1.8, 0.55, 0.28])
on_host = float(viscosity(numpy.float32([25.0]))[0])
viscosity.to_device()


@jax.jit
def reynolds(speed, temperature):
    return speed / viscosity(temperature)


if __name__ == "__main__":
    ratio = reynolds(numpy.float32([1.0, 2.0]), numpy.float32([25.0, 50.0]))
    assert abs(float(ratio[0]) - 1.0 / on_host) < 1e-5
    assert abs(float(ratio[1]) - 2.0 / 0.55) < 1e-4
