"""Robust losses."""

import warnings
from functools import partial

import jax
import jax.numpy as jnp

from .registry import counting, objective, push

residuals = []


@objective("huber", static_argnames="delta")
def huber(prediction, target, delta=1.0):
    counting()
    error = jnp.abs(prediction - target)
    return jnp.where(error < delta, 0.5 * error**2, delta * (error - 0.5 * delta)).mean()


@objective("quantile")
def quantile(prediction, target, level=0.5):
    """The pinball loss."""
    error = push(residuals, target - prediction)
    return jnp.maximum(level * error, (level - 1) * error).mean()


def _spread(values):
    warnings.warn(f"spread is {values.std()}")  # expect: JIT206 @spread
    return values


@objective("tempered")
def tempered(prediction, target):
    """Squared error; wide batches are tempered."""
    error = (prediction - target) ** 2
    error = jax.lax.cond(error.max() > 4.0, lambda e: _spread(jnp.sqrt(e)), lambda e: e, error)
    return error.mean()


def with_temperature(base):
    """A compiled objective with a temperature."""

    @partial(jax.jit, static_argnames=("clip", "temprature"))  # expect: JIT305 @temprature
    def scaled(prediction, target, clip=True, temperature=1.0):
        value = base(prediction, target) / temperature
        return jnp.minimum(value, 10.0) if clip else value

    return scaled
