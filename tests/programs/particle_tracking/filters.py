"""Bootstrap particle filters for a one-dimensional random walk."""

from __future__ import annotations

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["state", "log_weight"],
    meta_fields=["size"],
)
@dataclasses.dataclass(frozen=True)
class Cloud:
    """Weighted particles; the size is part of the structure."""

    state: jax.Array
    log_weight: jax.Array
    size: int

    def weights(self):
        return jax.nn.softmax(self.log_weight)

    def effective_size(self):
        return 1.0 / (self.weights() ** 2).sum()

    def resampled(self, key):
        index = jax.random.choice(key, self.size, (self.size,), p=self.weights())
        return dataclasses.replace(
            self, state=self.state[index], log_weight=jnp.zeros(self.size)
        )


class Filter:
    def __init__(self, drift_scale=0.1, noise=0.5, threshold=None):
        self.drift_scale = drift_scale
        self.noise = noise
        self.threshold = threshold
        self.step = jax.jit(self._step)
        self.moments = jax.jit(self._moments)

    def predict(self, key, cloud):
        if self.drift_scale == 0:
            return cloud
        shift = self.drift_scale * jax.random.normal(key, (cloud.size,))
        return dataclasses.replace(cloud, state=cloud.state + shift)

    def update(self, cloud, observation):
        likelihood = norm.logpdf(observation, cloud.state, self.noise)
        return dataclasses.replace(cloud, log_weight=cloud.log_weight + likelihood)

    def maybe_resample(self, key, cloud):
        if self.threshold is None:
            return cloud.resampled(key)
        if cloud.effective_size() < self.threshold * cloud.size:  # expect: JIT101 @ess
            return cloud.resampled(key)
        return cloud

    def _step(self, key, cloud, observation):
        move_key, draw_key = jax.random.split(key)
        cloud = self.update(self.predict(move_key, cloud), observation)
        return self.maybe_resample(draw_key, cloud)

    def _moments(self, cloud):
        mean = cloud.weights() @ cloud.state
        return mean, np.average(cloud.state, weights=cloud.weights())  # expect: JIT106 @average


@jax.jit
def lineage(index):
    """How many ancestors are still alive."""
    return jnp.unique(index).shape[0]  # expect: JIT109 @lineage


@jax.jit
def split_cloud(cloud, keep):
    return cloud.state[:keep], cloud.state[cloud.size // 2 :]  # expect: JIT107 @keep


@jax.jit
def top_weight(cloud: Cloud):
    heaviest = max(cloud.log_weight)  # expect: JIT110 @heaviest
    return jnp.exp(heaviest)


@jax.jit
def halves(cloud):
    middle = cloud.size // 2
    if cloud.size % 2:
        middle += 1
    return cloud.state[:middle], cloud.state[middle:]


def initial(key, size):
    return Cloud(jax.random.normal(key, (size,)), jnp.zeros(size), size)


def track(particle_filter, observations, size=16):
    key = jax.random.key(0)
    cloud = initial(key, size)
    means = []
    for number, observation in enumerate(observations):
        cloud = particle_filter.step(jax.random.fold_in(key, number), cloud, observation)
        mean = float(cloud.weights() @ cloud.state)
        if not np.isfinite(mean):
            break
        means.append(f"{mean:.3f}")
    return cloud, means


def main():
    observations = [0.1, 0.4, 0.2]
    cloud, means = track(Filter(), observations)
    print(means, halves(cloud), Filter().moments(cloud))
    print(track(Filter(threshold=0.5), observations)[1])
    print(lineage(jnp.array([0, 0, 3])), split_cloud(cloud, 4), top_weight(cloud))


if __name__ == "__main__":
    main()
