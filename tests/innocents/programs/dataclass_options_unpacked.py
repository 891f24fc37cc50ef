"""Looks like a fault of JIT304.

The options of the dataclass come from a dict, with `frozen` among them.
"""
import functools
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp

STYLES = {
    "record": {"slots": True},
    "setting": {"slots": True, "frozen": True, "kw_only": True},
}


@dataclass(**STYLES["setting"])
class Attention:
    heads: int = 2
    causal: bool = True
    window: int = 0


@functools.partial(jax.jit, static_argnames="config")
def attend(x, config):
    length, width = x.shape
    parts = x.reshape(length, config.heads, width // config.heads)
    scores = jnp.einsum("qhd,khd->hqk", parts, parts)
    if config.causal:
        mask = jnp.tril(jnp.ones((length, length), bool), -config.window)
        scores = jnp.where(mask, scores, -1e9)
    return jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), parts).reshape(x.shape)


def compare(x):
    config = Attention(heads=2)
    causal = attend(x, config)
    full = attend(x, replace(config, causal=False))
    again = attend(x, Attention(heads=2))
    return causal, full, again


if __name__ == "__main__":
    causal, full, again = compare(jnp.arange(16.0).reshape(4, 4) / 16)
    assert jnp.array_equal(causal, again) and not jnp.allclose(causal, full)
    assert attend._cache_size() == 2
