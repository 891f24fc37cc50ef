from functools import partial

import jax
import jax.numpy as jnp

from network import apply


def loss_fn(params, x, key):
    return jnp.mean((apply(params, x, key) - x) ** 2)


@partial(jax.jit, static_argnames="settings", donate_argnames="params")
def train_step(params, x, step, key, settings):
    grads = jax.grad(loss_fn)(params, x, jax.random.fold_in(key, step))
    rate = settings.rate / (1.0 + step)
    return [p - rate * g for p, g in zip(params, grads)]


@jax.jit
def accumulate(metrics, value):
    metrics["sum"] += value
    metrics["count"] += 1
    return metrics
