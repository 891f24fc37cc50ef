"""Methods that take themselves as a static argument."""

from functools import partial

import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, rate=0.4, gamma=0.9):
        self.rate = rate
        self.gamma = gamma
        self.temperature = 1.0

    def decay(self):
        self.rate *= 0.5

    def cool(self, factor):
        self.temperature = self.temperature * factor

    @partial(jax.jit, static_argnums=0)
    def update(self, q, reward):
        target = reward + self.gamma * jnp.max(q)
        return q + self.rate * (target - q)  # expect: JIT311 @rate

    @partial(jax.jit, static_argnames="self")
    def policy(self, q):
        return jax.nn.softmax(q / self.temperature)  # expect: JIT311 @temperature


def learn(steps=3):
    agent = Agent()
    q = jnp.zeros(3)
    for _ in range(steps):
        q = agent.update(q, jnp.arange(3.0))
        agent.decay()
    return q


def cooled():
    agent = Agent()
    warm = agent.policy(jnp.arange(3.0))
    agent.cool(0.1)
    return warm, agent.policy(jnp.arange(3.0))
