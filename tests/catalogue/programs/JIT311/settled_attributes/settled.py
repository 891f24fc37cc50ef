"""Attributes that have their values before anything is traced."""

from functools import partial

import jax
import jax.numpy as jnp


class Network:
    def __init__(self, width):
        self.width = width
        self._weights = None
        self.history = []
        self.steps = 0

    def build(self, key):
        self._weights = jax.random.normal(key, (self.width, self.width))
        return self

    @partial(jax.jit, static_argnums=0)
    def _forward(self, weights, x):
        return jnp.tanh(x @ weights) / self.width

    def __call__(self, x):
        if self._weights is None:
            self.build(jax.random.key(0))
        self.steps += 1
        y = self._forward(self._weights, x)
        self._weights = 0.9 * self._weights
        self.history.append(float(y.sum()))
        return y


class Masked(Network):
    def __init__(self, width, mask):
        super().__init__(width)
        self.mask = mask

    @partial(jax.jit, static_argnums=0)
    def masked(self, x):
        return jnp.where(self.mask, x, 0.0)


def main():
    network = Masked(2, True)
    network.mask = False
    x = jnp.ones(2)
    return network(x), network(x), network.masked(x), network.history, network.steps
