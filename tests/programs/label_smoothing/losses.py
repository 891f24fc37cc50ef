"""Classification losses with options."""

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
