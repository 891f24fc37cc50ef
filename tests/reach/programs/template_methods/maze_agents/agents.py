"""Agents for a small maze: a base class, and one class for every idea."""

import jax
import jax.numpy as jnp
import numpy as np

AGENTS = {}


def register(cls):
    """Make an agent known by its name."""
    AGENTS[cls.__name__.lower()] = cls
    return cls


class Agent:
    """Chooses moves and learns from what came of them."""

    def __init__(self, values, rate=0.5):
        self.values = values
        self.rate = rate
        self.act = jax.jit(self._act)
        self.learn = jax.jit(self._learn)

    def scores(self, state):
        raise NotImplementedError

    def target(self, reward, after):
        raise NotImplementedError

    def _act(self, state):
        return jnp.argmax(self.scores(state))

    def _learn(self, values, state, action, reward, after):
        error = self.target(reward, after) - values[state, action]
        return values.at[state, action].add(self.rate * error)


@register
class Greedy(Agent):
    """Takes what looks best."""

    def scores(self, state):
        return self.values[state]

    def target(self, reward, after):
        return reward + 0.9 * jnp.max(self.values[after])


@register
class Explorer(Agent):
    """Now and then tries anything."""

    epsilon = 0.1

    def scores(self, state):
        if np.random.rand() < self.epsilon:  # expect: JIT207 @dice
            return jax.random.uniform(jax.random.key(0), self.values.shape[1:])  # expect: JIT213 @tried
        return self.values[state]

    def target(self, reward, after):
        best = jnp.max(self.values[after])
        if reward < 0.0 and self.rate < 1.0:  # expect: JIT101 @penalty
            return reward
        return reward + 0.9 * best


@register
class Cautious(Agent):
    """Knows which cells are walls, by their number."""

    walls = [0.0, 0.0, 1.0]

    def scores(self, state):
        return self.values[state] - 10.0 * self.walls[state]  # expect: JIT107 @walls

    def target(self, reward, after):
        seen = {0: 0.0, 1: 0.1, 2: 0.2}
        return reward + seen[after]  # expect: JIT111 @seen


def make(name, states=3, moves=2):
    """An agent by name."""
    return AGENTS[name](jnp.zeros((states, moves)))
