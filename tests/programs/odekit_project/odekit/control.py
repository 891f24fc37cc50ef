"""Step size control."""

import math
from typing import NamedTuple

import jax.numpy as jnp


class Controller(NamedTuple):
    rtol: float = 1e-3
    atol: float = 1e-6
    safety: float = 0.9


def error_norm(error, y, controller):
    scale = controller.atol + controller.rtol * jnp.abs(y)
    return jnp.sqrt(jnp.mean((error / scale) ** 2))


def accept(norm, old, new):
    if norm <= 1.0:  # expect: JIT101 @accept
        return new
    return old


def accept_where(norm, old, new):
    return jnp.where(norm <= 1.0, new, old)


def propose(norm, h, order):
    growth = 0.9 * math.pow(norm, -1.0 / order)  # expect: JIT105 @growth
    return h * growth


def propose_clipped(norm, h, order, limits=(0.2, 5.0)):
    low, high = limits
    if low >= high:
        raise ValueError("empty range of step factors")
    return h * jnp.clip(0.9 * norm ** (-1.0 / order), low, high)
