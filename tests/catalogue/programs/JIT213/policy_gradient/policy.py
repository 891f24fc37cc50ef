"""A policy that samples, in a project with one seed."""

import jax
import jax.numpy as jnp

from seeds import experiment_key


@jax.jit
def sample_actions(logits):
    key = experiment_key("actions")
    return jax.random.categorical(key, logits)


@jax.jit
def sample_noise(x, step):
    key = jax.random.fold_in(experiment_key("noise"), step)
    return x + jax.random.normal(key, x.shape)


def rollout(steps=8):
    x, actions = jnp.zeros(3), []
    for step in range(steps):
        x = sample_noise(x, step)
        actions.append(sample_actions(jnp.zeros(40)))
    return actions
