"""Looks like a fault of JIT101.

What `vars(self)` gives has a name, and arrays in it are made numbers through that.
"""

import jax
import jax.numpy as jnp


class MultistepIntegrator:
    """Adams-Bashforth, with settings read from a checkpoint of arrays."""

    def __init__(self, settings):
        self.order = jnp.asarray(settings["order"])
        self.substeps = jnp.asarray(settings["substeps"])
        self.dt = jnp.asarray(settings["dt"])
        self._freeze("order", "substeps")
        self.step = jax.jit(self._step)

    def _freeze(self, *names):
        state = vars(self)
        state.update({name: state[name].item() for name in names})

    def _step(self, y, previous_slope):
        h = self.dt / self.substeps
        for _ in range(self.substeps):
            slope = -y
            if self.order > 1:
                increment = 1.5 * slope - 0.5 * previous_slope
            else:
                increment = slope
            y = y + h * increment
            previous_slope = slope
        trail = jnp.full((self.order,), y)
        return y, previous_slope, trail


if __name__ == "__main__":
    euler = MultistepIntegrator({"order": 1, "substeps": 2, "dt": 0.2})
    y, slope, trail = euler.step(1.0, -1.0)
    assert abs(float(y) - 0.81) < 1e-6 and trail.shape == (1,)
    ab2 = MultistepIntegrator({"order": 2, "substeps": 4, "dt": 0.2})
    y, slope, trail = ab2.step(1.0, -1.0)
    assert trail.shape == (2,) and abs(float(y) - 0.8187) < 3e-3
