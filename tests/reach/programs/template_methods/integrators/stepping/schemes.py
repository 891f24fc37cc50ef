"""The schemes."""

import jax.numpy as jnp

from stepping.base import Integrator


class Euler(Integrator):
    """Explicit Euler."""

    def increment(self, t, y):
        return self.dt * self.field(t, y)


class CountingEuler(Euler):
    """Euler, and a count of its evaluations."""

    def __init__(self, field, dt=0.1):
        super().__init__(field, dt)
        self.evaluations = 0

    def increment(self, t, y):
        self.evaluations += 1  # expect: JIT204 @evaluations
        return super().increment(t, y)


class RecordingMidpoint(Integrator):
    """The midpoint rule, which keeps its slopes."""

    order = 2

    def __init__(self, field, dt=0.1):
        super().__init__(field, dt)
        self.slopes = []

    def increment(self, t, y):
        slope = self.field(t + 0.5 * self.dt, y + 0.5 * self.dt * self.field(t, y))
        self.slopes.append(slope)  # expect: JIT202 @slopes
        return self.dt * slope


class AdaptiveHeun(Integrator):
    """Heun's method; falls back to Euler where the error is small."""

    order = 2
    tolerance = 1e-3

    def increment(self, t, y):
        first = self.field(t, y)
        second = self.field(t + self.dt, y + self.dt * first)
        if jnp.abs(second - first).max() < self.tolerance:  # expect: JIT101 @fallback
            return self.dt * first
        return 0.5 * self.dt * (first + second)

    def local_error(self, t, y):
        first = self.field(t, y)
        second = self.field(t + self.dt, y + self.dt * first)
        return 0.5 * self.dt * jnp.abs(second - first).max()


class Leapfrog(Integrator):
    """Kick and drift for a pair of position and velocity."""

    order = 2

    def increment(self, t, y):
        x, v = y
        half = v + 0.5 * self.dt * self.field(t, x)
        moved = x + self.dt * half
        return jnp.stack([moved - x, half + 0.5 * self.dt * self.field(t, moved) - v])
