"""Gradient clipping as an identity with its own rule."""

import jax
import jax.numpy as jnp

from losses import focal, soft_cross_entropy


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
