"""Looks like a fault of JIT311.

`configure` of the base class sets the attribute by name, and then calls a hook that compiles the method anew.
"""

import jax
import jax.numpy as jnp


class Configurable:
    def configure(self, **options):
        for name, value in options.items():
            if not hasattr(self, name):
                raise AttributeError(f"no option {name!r}")
            setattr(self, name, value)
        self.on_configured(*options)
        return self

    def on_configured(self, *names):
        pass


class Filter(Configurable):
    """Exponential smoothing; the order of the filter is a loop of Python."""

    def __init__(self):
        self.smoothing = 0.5
        self.order = 1
        self.on_configured()

    def on_configured(self, *names):
        self.apply = jax.jit(self._apply)

    def _apply(self, levels, sample):
        smoothed = []
        for i in range(self.order):
            sample = levels[i] + self.smoothing * (sample - levels[i])
            smoothed.append(sample)
        return jnp.stack(smoothed)


def last_level(smoother, samples):
    levels = jnp.zeros(smoother.order)
    for sample in samples:
        levels = smoother.apply(levels, sample)
    return float(levels[-1])


if __name__ == "__main__":
    smoother = Filter()
    assert last_level(smoother, [1.0, 1.0]) == 0.75
    smoother.configure(smoothing=0.25)
    assert last_level(smoother, [1.0, 1.0]) == 0.4375
    smoother.configure(smoothing=0.5, order=2)
    assert last_level(smoother, [1.0, 1.0]) == 0.5
    assert smoother.apply._cache_size() == 1
