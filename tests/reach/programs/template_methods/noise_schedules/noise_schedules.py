"""Noise schedules of a diffusion model: a template, innocent in all its subclasses."""

import abc

import jax
import jax.numpy as jnp


class Schedule(abc.ABC):
    """A schedule gives ``beta``; everything else follows from it."""

    def __init__(self, steps):
        self.steps = steps
        self.calls = 0
        self.sample = jax.jit(self._sample)

    @abc.abstractmethod
    def beta(self, t):
        """The variance that is added at time ``t`` in [0, 1]."""

    def check(self):
        raise NotImplementedError

    def alphas(self):
        times = jnp.linspace(0.0, 1.0, self.steps)
        return jnp.cumprod(1.0 - self.beta(times))

    def _sample(self, key, x, step):
        alpha = self.alphas()[step]
        noise = jax.random.normal(key, x.shape)
        return jnp.sqrt(alpha) * x + jnp.sqrt(1.0 - alpha) * noise

    def noisy(self, key, x, step):
        """Runs on the host: it counts and compares freely."""
        self.check()
        self.calls += 1
        if step >= self.steps:
            raise ValueError(f"no step {step}")
        return self.sample(key, x, step)


class Linear(Schedule):
    """Straight."""

    low, high = 1e-4, 0.02

    def beta(self, t):
        if self.high < self.low:
            raise ValueError("the schedule must rise")
        return self.low + (self.high - self.low) * t

    def check(self):
        assert self.alphas()[-1] < 1.0


class Cosine(Schedule):
    """Slow at both ends."""

    def beta(self, t):
        scale = 0.01 if self.steps > 10 else 0.1
        return scale * (1.0 - jnp.cos(jnp.pi * t)) + 1e-4

    def check(self):
        last = float(self.alphas()[-1])
        print(f"keeps {last:.2f} of the signal")


def spread(schedule, x, count=3):
    """Samples at several steps."""
    keys = jax.random.split(jax.random.key(0), count)
    return [schedule.noisy(key, x, step) for step, key in enumerate(keys)]


if __name__ == "__main__":
    for cls in (Linear, Cosine):
        print(spread(cls(8), jnp.ones(3)))
