"""Optax transformations that watch the gradient."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax

import monitor


class WatchState(NamedTuple):
    count: jax.Array
    largest: jax.Array


def watch():
    """Keep the largest norm in the state."""

    def init_fn(params):
        return WatchState(jnp.zeros((), jnp.int32), jnp.zeros(()))

    def update_fn(updates, state, params=None):
        norm = optax.global_norm(updates)
        norms = {}
        for path, leaf in jax.tree_util.tree_leaves_with_path(updates):
            norms[jax.tree_util.keystr(path)] = jnp.linalg.norm(leaf)
        largest = jnp.maximum(state.largest, jnp.stack(list(norms.values())).max())
        return updates, WatchState(state.count + 1, jnp.maximum(largest, norm))

    return optax.GradientTransformation(init_fn, update_fn)


def clip_and_tell(bound):
    """Clip by global norm; the dashboard sees the norm."""

    def init_fn(params):
        return optax.EmptyState()

    def update_fn(updates, state, params=None):
        monitor.drop_layers("frozen")
        norm = optax.global_norm(updates)
        monitor.last_norm = norm  # expect: JIT204 @norm
        factor = jnp.minimum(1.0, bound / (norm + 1e-6))
        jax.tree.map(lambda leaf: monitor.keep_layer("latest", jnp.abs(leaf).max()), updates)
        return jax.tree.map(lambda u: u * factor, updates), state

    return optax.GradientTransformation(init_fn, update_fn)


@jax.custom_vjp
def watched(x):
    """The identity; its gradient is written down on the way back."""
    return x


def watched_fwd(x):
    return x, None


def watched_bwd(_, cotangent):
    monitor.series.append(cotangent)  # expect: JIT202 @series
    return (cotangent,)


watched.defvjp(watched_fwd, watched_bwd)
