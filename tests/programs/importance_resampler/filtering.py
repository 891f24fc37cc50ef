"""A bootstrap particle filter for a random walk seen through noise."""

import dataclasses

import jax
import jax.numpy as jnp

from resampling import Cloud, systematic


@dataclasses.dataclass(frozen=True)
class Model:
    drift: float = 0.1
    noise: float = 0.5
    seen_noise: float = 1.0

    def move(self, key, particles):
        return particles + self.drift + self.noise * jax.random.normal(key, particles.shape)

    def log_likelihood(self, particles, seen):
        return -0.5 * ((seen - particles) / self.seen_noise) ** 2


def always(cloud, threshold):
    return True


def when_poor(cloud, threshold):
    return cloud.effective < threshold * cloud.particles.shape[0]


def assimilate(model, cloud, key, seen, resample, decide, threshold):
    move_key, resample_key = jax.random.split(key)
    moved = model.move(move_key, cloud.particles)
    cloud = Cloud(moved, cloud.log_weights + model.log_likelihood(moved, seen))
    if decide(cloud, threshold):  # expect: JIT101 @decide
        cloud = resample(resample_key, cloud)
    return cloud


def run(seen, key, model=Model(), count=16, resample=systematic, decide=always, threshold=0.5):
    def body(cloud, inputs):
        cloud = assimilate(model, cloud, *inputs, resample, decide, threshold)
        return cloud, jnp.sum(cloud.weights * cloud.particles)

    start = Cloud(jnp.zeros(count), jnp.zeros(count))
    return jax.lax.scan(body, start, (jax.random.split(key, len(seen)), seen))
