"""Haiku's sequence of keys, used where it belongs."""

import haiku as hk
import jax
import jax.numpy as jnp


def net(x):
    x = hk.Linear(4)(x)
    noise = jax.random.normal(hk.next_rng_key(), x.shape)
    return hk.Linear(1)(x + 0.1 * noise)


model = hk.transform(net)


@jax.jit
def predict(params, key, x):
    return model.apply(params, key, x)


@jax.jit
def ensemble(params, key, x):
    keys = hk.PRNGSequence(key)
    return sum(model.apply(params, next(keys), x) for _ in range(3))


def main():
    keys = hk.PRNGSequence(1)
    x = jnp.ones((2, 3))
    params = model.init(next(keys), x)
    return [predict(params, next(keys), x) for _ in range(2)] + [ensemble(params, next(keys), x)]
