"""Classification losses with options."""

from __future__ import annotations

from functools import partial
from typing import Literal

import jax
import jax.numpy as jnp
import numpy as np


def smooth(labels, classes, amount):
    """One-hot labels, softened by a number or by one amount per class."""
    hard = jax.nn.one_hot(labels, classes)
    if type(amount) in (int, float):  # expect: JIT112 @amount
        return hard * (1 - amount) + amount / classes
    return hard


def smooth_always(labels, classes, amount):
    return jax.nn.one_hot(labels, classes) * (1 - amount) + amount / classes


def reduce(losses, how: Literal["mean", "sum", "none"]):
    if how == "none":
        return losses
    return losses.mean() if how == "mean" else losses.sum()


@partial(jax.jit, static_argnames=("reduction",))
def cross_entropy(logits, labels, amount, reduction="mean"):
    targets = smooth(labels, logits.shape[-1], amount)
    return reduce(-(targets * jax.nn.log_softmax(logits)).sum(-1), reduction)


@partial(jax.jit, static_argnames=("reduction",))
def soft_cross_entropy(logits, labels, amount, reduction="mean"):
    targets = smooth_always(labels, logits.shape[-1], amount)
    return reduce(-(targets * jax.nn.log_softmax(logits)).sum(-1), reduction)


def focal(logits, labels, gamma):
    log_probs = jax.nn.log_softmax(logits)
    picked = jnp.take_along_axis(log_probs, labels[:, None], axis=-1)[:, 0]
    if gamma == 0:  # expect: JIT101 @gamma
        return -picked.mean()
    return -((1 - jnp.exp(picked)) ** gamma * picked).mean()


focal_traced = jax.jit(focal)
focal_static = jax.jit(focal, static_argnums=(2,))


@jax.jit
def entropy(probs):
    return -(probs * np.log(probs)).sum(-1)  # expect: JIT106 @entropy


@jax.jit
def weighted(losses, weights):
    """Mean with weights; all-zero weights give zero."""
    try:  # expect: JIT113 @weights
        if weights.sum() == 0:
            return jnp.zeros(())
        return (losses * weights).sum() / weights.sum()
    except Exception:
        return losses.mean()


@jax.custom_vjp
def clip_gradient(x, low, high):
    return x


def _clip_forward(x, low, high):
    return x, (low, high)


def _clip_backward(bounds, grad):
    low, high = bounds
    if not low <= high:  # expect: JIT101 @bounds
        raise ValueError("empty interval")
    return jnp.clip(grad, low, high), None, None


clip_gradient.defvjp(_clip_forward, _clip_backward)


@jax.jit
def clipped_step(logits, labels, limit):
    def loss(logits):
        return soft_cross_entropy(clip_gradient(logits, -limit, limit), labels, 0.1)

    return logits - jax.grad(loss)(logits)


def eager_step(logits, labels):
    def loss(logits):
        return focal(clip_gradient(logits, -0.1, 0.1), labels, 2.0)

    return logits - jax.grad(loss)(logits)


def main():
    logits = jax.random.normal(jax.random.key(0), (6, 3))
    labels = jnp.arange(6) % 3
    print(cross_entropy(logits, labels, 0.1), soft_cross_entropy(logits, labels, 0.1))
    losses = soft_cross_entropy(logits, labels, 0.1, reduction="none")
    if (losses > 5).any():
        print("large losses at", np.flatnonzero(np.asarray(losses) > 5))
    print(weighted(losses, jnp.array([1.0, 0, 0, 0, 0, 0])), focal_static(logits, labels, 2.0))
    print(eager_step(logits, labels).shape)
    print(focal_traced(logits, labels, 2.0), entropy(jax.nn.softmax(logits)))
    print(clipped_step(logits, labels, 0.1))


if __name__ == "__main__":
    main()
