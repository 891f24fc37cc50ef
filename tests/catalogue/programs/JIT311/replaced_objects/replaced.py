"""Objects whose changes are seen, or that do not change between calls."""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Schedule:
    rate: float

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.rate


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Filter:
    gain: float

    @jax.jit
    def apply(self, x):
        return self.gain * x


class Solver:
    def __init__(self):
        self.dt = 0.1
        self.calls = 0
        self.best = float("inf")

    def set_dt(self, dt):
        self.dt = dt
        return self

    @partial(jax.jit, static_argnums=0)
    def _step(self, x, force):
        return x + self.dt * force

    def step(self, x, force):
        self.calls += 1
        x = self._step(x, force)
        self.best = min(self.best, float(x.sum()))
        return x


class Rebuilt:
    def __init__(self, scale):
        self.set_scale(scale)

    def set_scale(self, scale):
        self.scale = scale
        self.apply = jax.jit(lambda x: x * scale)


def main():
    x = jnp.ones(2)
    schedule = Schedule(0.5)
    first = schedule.apply(x)
    schedule = dataclasses.replace(schedule, rate=0.25)
    filter = Filter(1.0)
    second = filter.apply(x)
    filter.gain = 2.0
    solver = Solver().set_dt(0.5)
    for force in (1.0, 2.0):
        x = solver.step(x, force)
    rebuilt = Rebuilt(1.0)
    third = rebuilt.apply(x)
    rebuilt.set_scale(4.0)
    last = rebuilt.apply(x)
    return first, schedule.apply(x), second, filter.apply(x), third, last, x
