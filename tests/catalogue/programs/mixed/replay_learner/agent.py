import itertools
from functools import partial

import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, seed=0, epsilon=1.0):
        self.epsilon = epsilon
        self.seeds = itertools.count(seed)
        self.w = jnp.ones(3)

    @partial(jax.jit, static_argnums=0)
    def act(self, w, state):
        key = jax.random.key(next(self.seeds))  # expect: JIT210 @seeds
        explore = jax.random.uniform(key) < self.epsilon  # expect: JIT311 @epsilon
        return jnp.where(explore, jax.random.normal(key), w @ state)

    @partial(jax.jit, static_argnums=(0, 3))
    def learn(self, w, batch, step):
        target = batch.mean(0)
        return w + (target - w) / (step + 1)

    def decay(self):
        self.epsilon *= 0.5


@jax.jit
def mean_value(w, states):
    return (states @ w).mean()
