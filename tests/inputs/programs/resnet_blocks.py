"""Residual blocks whose parameters are lists of dicts."""

import jax
import jax.numpy as jnp


def norm(x, scale, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    return scale * (x - mean) / jnp.sqrt(x.var(axis=-1, keepdims=True) + eps)


def block(p, x):
    y = norm(x, p["scale"]) @ p["up"]
    y = jax.nn.silu(y) @ p["down"]
    if jnp.abs(y).max() > 1e4:  # expect: JIT101 @overflow
        y = jnp.zeros_like(y)
    return x + y


def network(params, x):
    x = x @ params["stem"]
    for p in params["blocks"]:
        x = block(p, x)
    return x.mean(axis=1) @ params["head"]


@jax.jit
def accuracy(params, x, labels):
    guesses = network(params, x).argmax(axis=-1)
    return (guesses == labels).mean().item()  # expect: JIT105 @item
