"""Innocent, though it looks like JIT106.

What makes it right: setattr over vars.
"""

import jax
import jax.numpy as jnp
import numpy as np


class NoiseSchedule:
    def __init__(self, steps):
        self.betas = np.linspace(1e-4, 2e-2, steps)
        self.alpha_bars = np.cumprod(1 - self.betas)
        for name, value in list(vars(self).items()):
            setattr(self, name, jnp.asarray(value))


schedule = NoiseSchedule(50)


@jax.jit
def add_noise(x, noise, t):
    a = schedule.alpha_bars[t]
    return jnp.sqrt(a) * x + jnp.sqrt(1 - a) * noise


print(add_noise(jnp.ones(4), jnp.zeros(4), jnp.int32(7)))
