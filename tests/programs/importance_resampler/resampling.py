"""Clouds of weighted particles and ways to resample them."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Cloud(NamedTuple):
    particles: jax.Array
    log_weights: jax.Array

    @property
    def weights(self):
        return jax.nn.softmax(self.log_weights)

    @property
    def effective(self):
        return 1.0 / jnp.sum(self.weights**2)


def systematic(key, cloud):
    """Resample with one uniform number."""
    count = cloud.particles.shape[0]
    places = (jax.random.uniform(key) + jnp.arange(count)) / count
    chosen = jnp.searchsorted(jnp.cumsum(cloud.weights), places)
    return Cloud(cloud.particles[chosen], jnp.zeros(count))


def stratified(key, cloud):
    count = len(cloud.particles)
    places = (jax.random.uniform(key, (count,)) + np.arange(count)) / count
    chosen = np.interp(  # expect: JIT106 @interp
        places, jnp.cumsum(cloud.weights), np.arange(count)
    )
    return Cloud(cloud.particles[chosen.astype(int)], jnp.zeros(count))


def multinomial(key, cloud):
    count = cloud.particles.size
    chosen = jax.random.choice(key, count, shape=(count,), p=cloud.weights)
    return Cloud(cloud.particles[chosen], jnp.zeros(count))


def economical(key, cloud):
    """Draw only as many particles as are effective."""
    count = jnp.floor(cloud.effective).astype(int)
    chosen = jax.random.choice(  # expect: JIT108 @draw
        key, cloud.particles, (count,), p=cloud.weights
    )
    return Cloud(chosen, jnp.zeros(len(chosen)))
