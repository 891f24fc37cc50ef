"""Modules in the style of another framework."""

from functools import partial

import jax
import jax.numpy as jnp


class Module:
    training = True

    def train(self):
        self.training = True
        return self

    def eval(self):
        self.training = False
        return self


class Net(Module):
    def __init__(self, width):
        self.w = jnp.ones((width, width))
        self.frozen = False

    @partial(jax.jit, static_argnums=0)
    def forward(self, x, key):
        x = jnp.tanh(x @ self.w)
        if self.training:  # expect: JIT311 @training
            x = jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x, 0.0)
        return x

    @partial(jax.jit, static_argnums=0)
    def gradient(self, x):
        scale = 0.0 if self.frozen else 1.0  # expect: JIT311 @frozen
        return scale * jax.grad(lambda w: jnp.sum((x @ w) ** 2))(jnp.eye(2))


def freeze(module, frozen=True):
    module.frozen = frozen


def evaluate():
    net = Net(2)
    x, key = jnp.ones(2), jax.random.key(3)
    noisy = net.train().forward(x, key)
    return noisy, net.eval().forward(x, key)


def finetune():
    net = Net(2)
    first = net.gradient(jnp.ones(2))
    freeze(net)
    return first, net.gradient(jnp.ones(2))
