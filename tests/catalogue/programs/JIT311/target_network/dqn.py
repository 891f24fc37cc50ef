"""A target network that is synchronised now and then."""

import jax
import jax.numpy as jnp


class DQN:
    def __init__(self, params):
        self.params = params
        self.target = params
        self._gain = 1.0
        self.td_error = jax.jit(self._td_error)

        @jax.jit
        def scaled(x):
            return self.gain * x

        self.scaled = scaled

    @property
    def gain(self):
        return self._gain  # expect: JIT311 @gain

    @gain.setter
    def gain(self, value):
        self._gain = value

    def _td_error(self, params, x):
        bootstrap = x @ self.target  # expect: JIT311 @target
        return x @ params - 0.9 * bootstrap

    def sync(self):
        self.target = self.params

    def train(self, x):
        errors = self.td_error(self.params, x)
        self.params = self.params - 0.1 * (errors @ x)
        return errors


def run(steps=3):
    agent = DQN(jnp.ones(2))
    x = jnp.eye(2)
    found = []
    for _ in range(steps):
        found.append(agent.train(x))
        agent.sync()
    return found


def louder():
    agent = DQN(jnp.ones(2))
    quiet = agent.scaled(1.0)
    agent.gain = 3.0
    return quiet, agent.scaled(1.0)
