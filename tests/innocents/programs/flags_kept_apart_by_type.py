"""Looks like a fault of JIT104.

The base class registers each subclass as a pytree; fields annotated as bool are metadata.
"""
import dataclasses

import jax
import jax.numpy as jnp

STATIC_TYPES = (bool, str)


def node(cls):
    cls = dataclasses.dataclass(cls)
    fields = dataclasses.fields(cls)
    meta = [f.name for f in fields if f.type in STATIC_TYPES]
    data = [f.name for f in fields if f.type not in STATIC_TYPES]
    return jax.tree_util.register_dataclass(cls, data_fields=data, meta_fields=meta)


@node
class Attention:
    scores: jax.Array
    causal: bool
    windowed: bool


@jax.jit
def weights(attention):
    scores = attention.scores
    size = scores.shape[-1]
    if attention.causal and not attention.windowed:
        scores = jnp.where(jnp.tril(jnp.ones((size, size), bool)), scores, -jnp.inf)
    elif attention.causal or attention.windowed:
        near = jnp.abs(jnp.arange(size)[:, None] - jnp.arange(size)) <= 1
        scores = jnp.where(near, scores, -jnp.inf)
    return jax.nn.softmax(scores)


if __name__ == "__main__":
    scores = jnp.zeros((3, 3))
    assert float(weights(Attention(scores, True, False))[0, 0]) == 1.0
    assert float(weights(Attention(scores, False, True))[0, 0]) == 0.5
    assert abs(float(weights(Attention(scores, False, False))[0, 0]) - 1 / 3) < 1e-6
    weights(Attention(scores + 1, True, False))
    assert weights._cache_size() == 3
