"""Looks like a fault of JIT403.

The decorator enters jax.enable_x64 around each call, tracing included, so the float64 asked for inside is float64, and the rest of the program stays in float32.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def in_double(fn):
    compiled = jax.jit(fn)

    @functools.wraps(fn)
    def call(*args):
        with jax.enable_x64(True):
            return np.asarray(compiled(*args))

    return call


@in_double
def orbital_phase(times, epoch, period):
    elapsed = jnp.asarray(times, dtype=jnp.float64) - jnp.float64(epoch)
    cycles = elapsed / jnp.asarray(period, "float64")
    return cycles - jnp.floor(cycles)


@jax.jit
def light_curve(phase, depth):
    transit = jnp.exp(-jnp.square((phase - 0.5) / 0.05))
    return 1.0 - depth * transit


class Target:
    def __init__(self, epoch, period):
        self.epoch = epoch
        self.period = period

    def brightness(self, times, depth=0.01):
        phase = orbital_phase(times, self.epoch, self.period)
        return light_curve(phase.astype(np.float32), depth)


if __name__ == "__main__":
    target = Target(2459000.25, 3.52474859)
    centre = 2459000.25 + 3.52474859 * 250.5
    times = centre + np.array([-0.5, 0.0, 0.5])
    phase = orbital_phase(times, target.epoch, target.period)
    assert phase.dtype == np.float64
    assert abs(phase[1] - 0.5) < 1e-8
    curve = target.brightness(times)
    assert curve.dtype == jnp.float32
    assert np.allclose(curve[1], 0.99, atol=1e-5) and curve[0] > 0.999
    assert jnp.asarray(1.0).dtype == jnp.float32
