"""Donated, and never looked at again."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, moments, batch):
    grads = params * batch.mean()
    moments = 0.9 * moments + grads
    return params - 0.1 * moments, moments


class Trainer:
    def __init__(self):
        self.params = jnp.ones(3)
        self.moments = jnp.zeros(3)

    def step(self, batch):
        before = jnp.copy(self.params)
        self.params, self.moments = train_step(self.params, self.moments, batch)
        return jnp.abs(self.params - before).max()


def train(batches):
    params, moments = jnp.ones(3), jnp.zeros(3)
    start = params + 0.0
    for batch in batches:
        shape, dtype = params.shape, params.dtype
        old_sum = params.sum()
        new, moments = train_step(params, moments, batch)
        assert params.shape == shape and params.dtype == dtype
        params = new
    return params - start, old_sum


def maybe(params, moments, batch, enabled):
    if enabled:
        return train_step(params, moments, batch)
    return params, moments


def main():
    batches = [jnp.ones(2), jnp.zeros(2)]
    trainer = Trainer()
    return (
        train(batches),
        [trainer.step(batch) for batch in batches],
        maybe(jnp.ones(3), jnp.ones(3), batches[0], False),
    )
