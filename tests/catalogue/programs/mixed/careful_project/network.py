import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.lru_cache
def positions(length):
    return np.arange(length, dtype=np.float32) / length


def init(key, layers, width):
    keys = iter(jax.random.split(key, layers))
    return [jax.random.normal(next(keys), (width, width)) for _ in range(layers)]


def apply(params, x, key=None):
    for w in params:
        x = jnp.tanh((x + positions(x.shape[1])) @ w)
    if key is not None:
        x = x * jax.random.bernoulli(key, 0.9, x.shape)
    return x
