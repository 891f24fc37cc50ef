"""Streaming classification metrics for an evaluation loop."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

CLASS_NAMES = ["cat", "dog", "fox", "owl"]


class Counts(NamedTuple):
    """Running sums over the evaluation set."""

    correct: jax.Array
    total: jax.Array
    confusion: jax.Array


def empty(classes: int) -> Counts:
    if classes < 2:
        raise ValueError("a classifier needs two classes")
    zero = jnp.zeros((), jnp.int32)
    return Counts(zero, zero, jnp.zeros((classes, classes), jnp.int32))


@partial(jax.jit, static_argnames="k")
def update(counts, logits, labels, weights=None, k=1):
    """Add one batch; a prediction is right when the label is among the k best."""
    if logits.ndim != 2:
        raise ValueError(f"logits must be (batch, classes), not {logits.shape}")
    best = jnp.argsort(logits, axis=-1)[:, -k:]
    hits = (best == labels[:, None]).any(axis=-1)
    if weights is not None:
        hits = hits * weights
    top = best[:, -1]
    return Counts(
        counts.correct + hits.sum().astype(jnp.int32),
        counts.total + len(labels),
        counts.confusion.at[labels, top].add(1),
    )
