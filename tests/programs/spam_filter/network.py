"""A dense network over message features."""

from functools import partial

import jax
import jax.numpy as jnp


def _build(key, sizes):
    params = []
    for size_in, size_out in zip(sizes, sizes[1:]):
        key, sub = jax.random.split(key)
        params.append((jax.random.normal(sub, (size_in, size_out)) * 0.3, jnp.zeros(size_out)))
    return params


build = jax.jit(_build, static_argnums=1)


@partial(jax.jit, static_argnames="activation")
def logits(params, xs, activation=jax.nn.relu):
    for weights, bias in params[:-1]:
        xs = activation(xs @ weights + bias)
    weights, bias = params[-1]
    return (xs @ weights + bias)[..., 0]


@jax.jit
def weighted_logits(params, xs, scale):
    """Logits after a temperature."""
    return logits(params, xs) / scale
