"""Scores of the counted predictions."""

import jax
import jax.numpy as jnp
import numpy as np

from metrics import Counts


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
