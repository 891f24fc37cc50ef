"""Attention with heads, written with einsum."""

import jax
import jax.numpy as jnp


def split_heads(x, heads):
    batch, length, width = x.shape
    return x.reshape(batch, length, heads, width // heads)


@jax.jit
def attend(params, x, mask):
    q = split_heads(jnp.einsum("btd,de->bte", x, params["query"]), 4)
    k = split_heads(jnp.einsum("btd,de->bte", x, params["key"]), 4)
    v = split_heads(jnp.einsum("btd,de->bte", x, params["value"]), 4)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    scores = jnp.where(mask[:, None, None, :], scores, -1e9)
    if not mask.any():  # expect: JIT101 @empty
        return jnp.zeros_like(x)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    return mixed.reshape(x.shape) @ params["out"]
