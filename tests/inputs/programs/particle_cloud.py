"""A particle filter with resampling when few particles count."""

import jax
import jax.numpy as jnp


def effective(weights):
    return 1.0 / jnp.sum(weights**2)


def resample(key, particles, weights):
    index = jax.random.choice(key, particles.shape[0], (particles.shape[0],), p=weights)
    return particles[index]


@jax.jit
def step(key, particles, weights, observation):
    move, draw = jax.random.split(key)
    particles = particles + 0.1 * jax.random.normal(move, particles.shape)
    distance = jnp.sum((particles - observation[None, :]) ** 2, axis=1)
    weights = weights * jnp.exp(-distance)
    weights = weights / weights.sum()
    if effective(weights) < particles.shape[0] / 2:  # expect: JIT101 @degenerate
        particles = resample(draw, particles, weights)
        weights = jnp.full_like(weights, 1.0 / weights.size)
    return particles, weights
