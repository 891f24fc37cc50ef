"""Gradient transformations of our own."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class PlateauState(NamedTuple):
    """Best loss so far and for how many updates it has stood."""

    best: jax.Array
    waited: jax.Array


def record_norms(history):
    """Keep the norm of every update in ``history``."""

    def init_fn(params):
        return optax.EmptyState()

    def update_fn(updates, state, params=None):
        history.append(optax.global_norm(updates))  # expect: JIT202 @history
        return updates, state

    return optax.GradientTransformation(init_fn, update_fn)


def warmup(length):
    """Scale updates up linearly over the first ``length`` updates."""
    count = 0

    def init_fn(params):
        return optax.EmptyState()

    def update_fn(updates, state, params=None):
        nonlocal count
        count += 1  # expect: JIT203 @count
        scale = min(count / length, 1.0)
        return jax.tree.map(lambda u: scale * u, updates), state

    return optax.GradientTransformation(init_fn, update_fn)


def plateau(patience, factor=0.5):
    """Shrink updates once the loss has stopped falling."""

    def init_fn(params):
        return PlateauState(jnp.inf, jnp.zeros((), jnp.int32))

    def update_fn(updates, state, params=None, *, value, **extra):
        better = value < state.best
        waited = jnp.where(better, 0, state.waited + 1)
        scale = jnp.where(waited > patience, factor, 1.0)
        updates = jax.tree.map(lambda u: scale * u, updates)
        return updates, PlateauState(jnp.minimum(value, state.best), waited)

    return optax.GradientTransformationExtraArgs(init_fn, update_fn)


def freeze_first_row():
    """Never move the first row of any matrix."""

    def shield(update):
        mask = jnp.ones_like(update)
        if update.ndim == 2:
            mask[0] = 0.0  # expect: JIT205 @mask
        return mask * update

    return optax.stateless(lambda updates, params: jax.tree.map(shield, updates))
