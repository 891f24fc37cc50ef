"""Looks like a fault of JIT213.

functools.reduce folds the counters of the caller into the key.

The key of the run is a constant; what is drawn with differs at every step.
"""
import functools
import operator

import jax
import jax.numpy as jnp

RUN = 17
stir = operator.attrgetter("random.fold_in")(jax)


def stream(*counters):
    return functools.reduce(stir, counters, jax.random.key(RUN))


@jax.jit
def augment(images, epoch, step):
    noise_key, flip_key = jax.random.split(stream(epoch, step))
    noise = 0.1 * jax.random.normal(noise_key, images.shape)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0], 1, 1))
    return jnp.where(flip, images[:, :, ::-1], images) + noise


def epochs(images, count, steps):
    for epoch in range(count):
        for step in range(steps):
            yield augment(images, epoch, step)


if __name__ == "__main__":
    images = jnp.zeros((2, 4, 4))
    batches = list(epochs(images, 2, 2))
    for first in range(4):
        for second in range(first):
            assert not jnp.allclose(batches[first], batches[second])
    assert jnp.array_equal(augment(images, 1, 0), batches[2])
    assert augment._cache_size() == 1
