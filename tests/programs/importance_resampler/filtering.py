"""A bootstrap particle filter for a random walk seen through noise."""

import dataclasses
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Model:
    drift: float = 0.1
    noise: float = 0.5
    seen_noise: float = 1.0

    def move(self, key, particles):
        return particles + self.drift + self.noise * jax.random.normal(key, particles.shape)

    def log_likelihood(self, particles, seen):
        return -0.5 * ((seen - particles) / self.seen_noise) ** 2


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
    chosen = np.interp(places, jnp.cumsum(cloud.weights), np.arange(count))  # expect: JIT106 @interp
    return Cloud(cloud.particles[chosen.astype(int)], jnp.zeros(count))


def multinomial(key, cloud):
    count = cloud.particles.size
    chosen = jax.random.choice(key, count, shape=(count,), p=cloud.weights)
    return Cloud(cloud.particles[chosen], jnp.zeros(count))


def economical(key, cloud):
    """Draw only as many particles as are effective."""
    count = jnp.floor(cloud.effective).astype(int)
    chosen = jax.random.choice(key, cloud.particles, (count,), p=cloud.weights)  # expect: JIT108 @draw
    return Cloud(chosen, jnp.zeros(len(chosen)))


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


@partial(jax.jit, static_argnames="fraction")
def trimmed_mean(cloud, fraction=0.5):
    kept = int(fraction * cloud.particles.shape[0])
    return jnp.sort(cloud.particles)[:kept].mean()


@jax.jit
def heavy_mean(cloud: Cloud):
    """Mean of the particles with more than their share of the weight."""
    heavy = cloud.weights > 1 / len(cloud.particles)
    chosen = jnp.compress(heavy, cloud.particles)  # expect: JIT109 @heavy
    return chosen.mean()


def main():
    key = jax.random.key(0)
    seen = jnp.cumsum(jax.random.normal(key, (6,)))
    cloud, means = run(seen, key, Model(noise=0.3))
    error = float(jnp.abs(means - seen).mean())
    print(f"error {error:.2f}, effective {cloud.effective:.1f}", trimmed_mean(cloud))
    if when_poor(cloud, 0.5):
        cloud = multinomial(key, cloud)
    print(heavy_mean(cloud))
    print(run(seen, key, decide=when_poor)[1])
    for resample in (multinomial, stratified, economical):
        print(resample.__name__, run(seen, key, resample=resample)[1])


if __name__ == "__main__":
    main()
