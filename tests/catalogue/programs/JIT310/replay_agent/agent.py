"""An agent that keeps its state in attributes."""

import jax
import jax.numpy as jnp

from metrics import update_norm


def _learn(params, batch):
    return jax.tree.map(lambda p: 0.9 * p + batch.mean(), params)


class Agent:
    def __init__(self):
        self.params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
        self.buffer = jnp.zeros((4, 2))
        self._learn = jax.jit(_learn, donate_argnums=0)
        self._write = jax.jit(lambda buffer, row, x: buffer.at[row].set(x), donate_argnums=0)

    def learn(self, batch):
        new = self._learn(self.params, batch)
        moved = update_norm(self.params, new)
        self.params = new
        return moved

    def observe(self, row, x):
        buffer = self._write(self.buffer, row, x)
        return buffer.sum()

    def recent(self):
        return self.buffer[-1]  # expect: JIT310 @buffer


def episode():
    agent = Agent()
    agent.observe(0, jnp.ones(2))
    return agent.recent()
