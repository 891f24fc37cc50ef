"""Gibbs sweeps for a mixture of two Gaussians on the line."""

import random

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def responsibilities(data, means):
    logits = -0.5 * (data[:, None] - means) ** 2
    return jax.nn.softmax(logits, axis=-1)


def assign(data, means, threshold):
    return (responsibilities(data, means)[:, 1] > threshold).astype(jnp.float32)


def update_means(data, labels):
    ones = labels.sum() + 1e-3
    zeros = (1 - labels).sum() + 1e-3
    return jnp.stack([((1 - labels) * data).sum() / zeros, (labels * data).sum() / ones])


def host_chain(data, means, sweeps):
    """Sweeps whose thresholds come from the host's generator."""

    def sweep(means, _):
        threshold = random.random()  # expect: JIT207 @threshold
        means = update_means(data, assign(data, means, threshold))
        return means, threshold

    return lax.scan(sweep, means, None, length=sweeps)


def keyed_chain(key, data, means, sweeps):
    """The same with keys."""

    def sweep(means, key):
        threshold = jax.random.uniform(key)
        means = update_means(data, assign(data, means, threshold))
        return means, threshold

    return lax.scan(sweep, means, jax.random.split(key, sweeps))


def shuffled(data, means):
    order = np.random.permutation(len(data))  # expect: JIT207 @order
    return update_means(data[order][::2], assign(data[order][::2], means, 0.5)), data[order]


shuffled_sweep = jax.jit(shuffled)


def synthetic(count=40):
    rng = np.random.default_rng(3)
    flips = np.array([random.random() < 0.5 for _ in range(count)])
    return jnp.asarray(np.where(flips, 2.0, -2.0) + rng.normal(size=count), jnp.float32)
