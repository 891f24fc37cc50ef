"""Streaming classification metrics for an evaluation loop."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

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


def ratio(part, whole):
    return part / whole if whole else 0.0  # expect: JIT101 @empty


def masked_ratio(part, whole):
    return jnp.where(whole > 0, part / jnp.maximum(whole, 1), 0.0)


@jax.jit
def accuracy(counts: Counts):
    return ratio(counts.correct, counts.total)


@jax.jit
def balanced_accuracy(counts: Counts):
    rows = counts.confusion.sum(axis=1)
    return masked_ratio(jnp.diag(counts.confusion), rows).mean()


@jax.jit
def worst_recall(confusion):
    recalls = jnp.diag(confusion) / jnp.maximum(confusion.sum(axis=1), 1)
    return min(recalls)  # expect: JIT110 @worst


@jax.jit
def seen_recall(confusion):
    support = confusion.sum(axis=1)
    recalls = jnp.diag(confusion) / jnp.maximum(support, 1)
    return recalls[support > 0].mean()  # expect: JIT109 @seen


@jax.jit
def kappa(confusion):
    """Cohen's kappa of the confusion matrix."""
    total = confusion.sum()
    outer = np.outer(confusion.sum(axis=0), confusion.sum(axis=1))  # expect: JIT106 @outer
    return (jnp.trace(confusion) * total - jnp.trace(outer)) / (total**2 - jnp.trace(outer))


def report(counts: Counts) -> str:
    """Format the metrics on the host."""
    matrix = np.asarray(counts.confusion)
    lines = [f"accuracy {float(ratio(counts.correct, counts.total)):.3f}"]
    for row, name in zip(matrix, CLASS_NAMES):
        support = row.sum()
        if support > 0:
            lines.append(f"{name:>8}: {int(support)}")
    return "\n".join(lines)


def main():
    key = jax.random.key(0)
    counts = empty(len(CLASS_NAMES))
    for _ in range(3):
        key, sub = jax.random.split(key)
        logits = jax.random.normal(sub, (16, 4))
        counts = update(counts, logits, jnp.arange(16) % 4, k=2)
    print(report(counts))
    print(accuracy(counts), balanced_accuracy(counts))
    print(worst_recall(counts.confusion), seen_recall(counts.confusion))
    print(kappa(counts.confusion))


if __name__ == "__main__":
    main()
