"""Contrastive loss on pairs from two towers."""

import jax
import jax.numpy as jnp


def tower(weights, x):
    *hidden, last = weights
    for w in hidden:
        x = jax.nn.relu(x @ w)
    x = x @ last
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


def contrast(weights, left, right, same):
    a = tower(weights["left"], left)
    b = tower(weights["right"], right)
    distance = 1 - jnp.sum(a * b, axis=-1)
    close = distance[same.astype(bool)]  # expect: JIT109 @same
    return close.mean() + jax.nn.relu(0.5 - distance).mean()


@jax.jit
def step(weights, pairs):
    grads = jax.grad(contrast)(weights, pairs["left"], pairs["right"], pairs["same"])
    return jax.tree.map(lambda w, g: w - 0.1 * g, weights, grads)
