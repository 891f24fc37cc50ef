"""A bandit whose environment is a class."""

from functools import partial

import jax
import jax.numpy as jnp

SEED = 7


class Bandit:
    def __init__(self, means):
        self.means = jnp.asarray(means)

    @partial(jax.jit, static_argnums=0)
    def pull(self, arm):
        key = jax.random.key(SEED)  # expect: JIT213 @pull
        return self.means[arm] + jax.random.normal(key)

    @partial(jax.jit, static_argnums=0)
    def explore(self, values):
        rng = jax.random.PRNGKey(1)  # expect: JIT213 @explore
        rng, use = jax.random.split(rng)
        return jnp.argmax(values + jax.random.gumbel(use, values.shape))


def play(rounds=3):
    bandit = Bandit([0.1, 0.5, 0.2])
    values = jnp.zeros(3)
    rewards = []
    for _ in range(rounds):
        arm = bandit.explore(values)
        rewards.append(bandit.pull(arm))
    return rewards
