import jax.numpy as jnp


def reward(state, action):
    return -jnp.sum(state**2) - 0.1 * action**2


def transition(state, action):
    return 0.9 * state + action
