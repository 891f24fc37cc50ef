"""Random shooting: each candidate is rolled out by a scan."""

from functools import partial

import jax
import jax.numpy as jnp

from model import reward, transition


def _step(gamma, state, action):
    state = transition(state, action)
    return state, gamma * reward(state, action)


class Planner:
    def __init__(self, gamma=0.9):
        self.gamma = gamma

    def step(self, state, action):
        return _step(self.gamma, state, action)

    def score(self, state, actions):
        _, rewards = jax.lax.scan(self.step, state, actions)  # expect: JIT312 @method
        return rewards.sum()

    def plan(self, state, candidates):
        scores = [self.score(state, actions) for actions in candidates]
        return candidates[int(jnp.argmax(jnp.stack(scores)))]


def returns(state, candidates, gamma=0.9):
    totals = []
    for actions in candidates:
        body = partial(_step, gamma)
        totals.append(jax.lax.scan(body, state, actions)[1].sum())  # expect: JIT312 @partial
    return totals
