"""Observations arrive one after the other."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def posterior(x, y):
    return jnp.linalg.solve(x.T @ x + jnp.eye(x.shape[1]), x.T @ y)


@jax.jit
def trend(series):
    t = jnp.arange(series.shape[0])
    return jnp.sum((t - t.mean()) * series) / jnp.sum((t - t.mean()) ** 2 + 1.0)


@jax.jit
def spread(frames):
    return jnp.std(frames, axis=0)


def observe(samples):
    x, y = jnp.zeros((0, 2)), jnp.zeros(0)
    estimates = []
    for row, value in samples:
        x = jnp.concatenate([x, row[None]])
        y = jnp.concatenate([y, value[None]])
        estimates.append(posterior(x, y))  # expect: JIT307 @concatenated
    return estimates


def trends(series):
    found = []
    for end in range(2, len(series)):
        found.append(trend(series[:end]))  # expect: JIT307 @prefix
    return found


def watch(frames):
    seen, spreads = [], []
    for frame in frames:
        seen.append(frame)
        spreads.append(spread(np.stack(seen)))  # expect: JIT307 @stacked
    return spreads
