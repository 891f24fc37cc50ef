"""Looks like a fault of JIT213.

The mixin folds the state's step into the agent's fixed key before anything is drawn.
"""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    step: jax.Array
    values: jax.Array


class Agent:
    seed = 0

    def prepare(self, key, state):
        return key

    def explore(self, state):
        key = jax.random.key(self.seed)
        key = self.prepare(key, state)
        return jax.random.randint(key, (), 0, state.values.shape[0])

    def act(self, state):
        arm = self.explore(state)
        return arm, State(state.step + 1, state.values.at[arm].add(1.0))


class MixStep:
    def prepare(self, key, state):
        return jax.random.fold_in(super().prepare(key, state), state.step)


class Bandit(MixStep, Agent):
    pass


if __name__ == "__main__":
    act = jax.jit(Bandit().act)
    state = State(jnp.int32(0), jnp.zeros(10))
    arms = []
    for _ in range(20):
        arm, state = act(state)
        arms.append(int(arm))
    assert len(set(arms)) > 5
    assert act._cache_size() == 1
