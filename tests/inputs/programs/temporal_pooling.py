"""Pooling over time where the mask says what counts."""

import jax
import jax.numpy as jnp


def masked_mean(values, mask):
    batch, length, width = values.shape
    assert mask.shape == (batch, length)
    weights = mask.astype(values.dtype)[:, :, None]
    total = weights.sum(axis=1)
    return (values * weights).sum(axis=1) / jnp.maximum(total, 1.0)


@jax.jit
def summary(params, values, mask):
    pooled = masked_mean(values, mask)
    projected = jnp.tensordot(pooled, params["weights"], axes=1)
    hot = projected.max(axis=-1)
    label = "high" if hot.mean() > 0 else "low"  # expect: JIT101 @label
    return projected, label == "high"
