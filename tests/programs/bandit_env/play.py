"""Agents and their games."""

import jax
import jax.numpy as jnp
from jax import lax

from bandit import BernoulliBandit


class EpsilonGreedy:
    def __init__(self, epsilon=0.1, optimistic=False):
        self.epsilon = epsilon
        self.optimistic = optimistic

    def choose(self, key, state):
        explore_key, arm_key = jax.random.split(key)
        value = state["wins"] / jnp.maximum(state["pulls"], 1.0)
        if self.optimistic:
            value = jnp.where(state["pulls"] == 0, 1.0, value)
        greedy = value.argmax()
        other = jax.random.randint(arm_key, (), 0, len(value))
        explore = jax.random.uniform(explore_key) < self.epsilon
        return jnp.where(explore, other, greedy)


class ExploreFirst(EpsilonGreedy):
    """Try every arm before any is exploited."""

    def choose(self, key, state):
        untried = state["pulls"] == 0
        if untried.any():  # expect: JIT101 @untried
            return untried.argmax()
        return super().choose(key, state)


def play(bandit, agent, key, steps, pull=None):
    """One agent's rewards over a number of steps."""
    pull = bandit.pull if pull is None else pull

    def step(state, step_key):
        choice_key, pull_key = jax.random.split(step_key)
        arm = agent.choose(choice_key, state)
        return pull(pull_key, state, arm)

    return lax.scan(step, bandit.reset(), jax.random.split(key, steps))


def compare(bandit, agents, seeds=3, steps=20):
    keys = jax.random.split(jax.random.key(0), seeds)
    totals = {}
    for agent in agents:
        _, rewards = jax.vmap(lambda key: play(bandit, agent, key, steps))(keys)
        totals[type(agent).__name__] = float(rewards.mean())
    return max(totals, key=totals.get)


def main():
    bandit = BernoulliBandit([0.2, 0.5, 0.7], retired=(1,))
    agent = EpsilonGreedy(0.2, optimistic=True)
    print(compare(bandit, [agent]))
    print(compare(bandit, [ExploreFirst(0.1)]))
    key = jax.random.key(3)
    for pull in (bandit.pull_with_cost, bandit.pull_unless_retired):
        _, rewards = play(bandit, agent, key, 10, pull)
        print(rewards.sum())


if __name__ == "__main__":
    main()
