"""Rollouts know nothing of the environment but its methods."""

import jax
import jax.numpy as jnp


def force_of(weights, state):
    return weights[0] * state.angle + weights[1] * state.speed


def rollout(env, weights, key, steps):
    """The summed reward of an episode."""

    def step(state, _):
        state, reward = env.balance(state, force_of(weights, state))
        return state, reward

    _, rewards = jax.lax.scan(step, env.reset(key), None, length=steps)
    return rewards.sum()


def until_expired(env, state):
    """Steps without force until the time is over; meant for one episode."""
    total = jnp.zeros(())
    while not env.expired(state):  # expect: JIT102 @expired
        state, reward = env.balance(state, 0.0)
        total = total + reward
    return total


class Searcher:
    """Random search for the weights of a controller."""

    def __init__(self, env, steps=5):
        self.env = env
        self.steps = steps
        self.evaluate = jax.jit(self._evaluate)
        self.finish = jax.jit(self._finish)

    def _evaluate(self, weights, key):
        return rollout(self.env, weights, key, self.steps)

    def _finish(self, key):
        return until_expired(self.env, self.env.reset(key))
