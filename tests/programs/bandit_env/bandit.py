"""Multi-armed bandits played by vectorised agents."""

import jax
import jax.numpy as jnp


class BernoulliBandit:
    """Arms that pay one with a fixed chance."""

    def __init__(self, chances, retired=()):
        self.chances = jnp.asarray(chances)
        self.arms = len(chances)
        self.retired = tuple(retired)
        self.costs = [0.01 * arm for arm in range(len(chances))]

    def reset(self):
        return {"pulls": jnp.zeros(self.arms), "wins": jnp.zeros(self.arms)}

    def pull(self, key, state, arm):
        reward = jax.random.bernoulli(key, self.chances[arm]).astype(jnp.float32)
        state = {
            "pulls": state["pulls"].at[arm].add(1.0),
            "wins": state["wins"].at[arm].add(reward),
        }
        return state, reward

    def pull_with_cost(self, key, state, arm):
        state, reward = self.pull(key, state, arm)
        return state, reward - self.costs[arm]  # expect: JIT107 @cost

    def pull_unless_retired(self, key, state, arm):
        gone = arm in self.retired  # expect: JIT110 @retired
        state, reward = self.pull(key, state, arm)
        return state, jnp.where(gone, 0.0, reward)
