"""Logistic regression; the data are there anyway, so why pass them?"""

import jax
import jax.numpy as jnp
import numpy as np

from data import load

x_train, y_train = load()
KERNEL = jnp.array(np.random.default_rng(3).normal(size=(1500, 1500)))


def loss_fn(w):
    logits = x_train @ w  # expect: JIT314 @rows
    return jnp.mean(jnp.logaddexp(0.0, logits))


step = jax.jit(lambda w: w - 0.1 * jax.grad(loss_fn)(w))


@jax.jit
def smooth(v):
    def body(_, v):
        return KERNEL @ v / 1500  # expect: JIT314 @kernel

    return jax.lax.fori_loop(0, 3, body, v)


def main(steps=2):
    w = jnp.zeros(100)
    for _ in range(steps):
        w = step(w)
    return w, smooth(jnp.ones(1500))
