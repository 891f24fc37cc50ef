"""Gradient transformations."""

import jax
import jax.numpy as jnp
import optax


def clip_by_norm(grads, limit):
    """Scale the gradients down when their norm is above the limit."""
    norm = optax.global_norm(grads)
    factor = min(1.0, limit / norm)  # expect: JIT110 @clip
    return jax.tree.map(lambda g: g * factor, grads)


def scale_leaf(grad, limit):
    norm = jnp.linalg.norm(grad)
    while norm > limit:  # expect: JIT102 @halve
        grad = grad * 0.5
        norm = norm * 0.5
    return grad


def centralise(grad):
    """Subtract the mean of each column from matrices; leave the rest."""
    if grad.ndim < 2:
        return grad
    axes = tuple(range(grad.ndim - 1))
    return grad - grad.mean(axis=axes, keepdims=True)
