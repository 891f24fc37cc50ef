"""Heat baths."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass
class Andersen:
    """Redraws velocities now and then."""

    temperature: float
    rate: float = 0.1

    def apply(self, velocities):
        drawn = np.random.normal(size=velocities.shape)  # expect: JIT207 @drawn
        return (1 - self.rate) * velocities + self.rate * drawn * self.temperature**0.5


def langevin(key, velocities, temperature, friction=0.1):
    noise = jax.random.normal(key, velocities.shape)
    return (1 - friction) * velocities + jnp.sqrt(2 * friction * temperature) * noise


def initial_velocities(count, temperature):
    """Velocities with no net drift, drawn on the host."""
    rng = np.random.default_rng(7)
    velocities = rng.normal(scale=temperature**0.5, size=(count, 3))
    velocities -= velocities.mean(axis=0)
    return jnp.asarray(velocities)
