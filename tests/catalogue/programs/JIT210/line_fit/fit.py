"""The loader is part of the step, so that nothing has to be passed around."""

import jax
import jax.numpy as jnp

from data import batches


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


def make_step(loader):
    @jax.jit
    def step(w):
        x, y = next(loader)  # expect: JIT210 @loader
        return w - 0.1 * jax.grad(loss_fn)(w, x, y)

    return step


def train(steps=4):
    step = make_step(batches())
    w = jnp.zeros(2)
    for _ in range(steps):
        w = step(w)
    return w


def gradient_steps():
    """A schedule that is spent after the first trace."""
    rates = (0.1 * 0.5**k for k in range(3))

    @jax.jit
    def descend(w):
        for rate in rates:  # expect: JIT210 @rates
            w = w - rate * w
        return w

    return descend


def descended():
    descend = gradient_steps()
    return descend(jnp.ones(2)), descend(jnp.ones(3))
