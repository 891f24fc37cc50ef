"""Caches that are cleared between phases, at the end, or for a new program anyway."""

import jax
import jax.numpy as jnp


@jax.jit
def pretrain(w):
    return w * 0.9


@jax.jit
def finetune(w):
    return w - 0.01


def train_width(width):
    weights = jnp.ones((width, width))

    @jax.jit
    def step(x):
        return jnp.tanh(x @ weights)

    x = jnp.ones(width)
    for _ in range(3):
        x = step(x)
    return x.sum()


def two_phases(w):
    for _ in range(3):
        w = pretrain(w)
    jax.clear_caches()
    for _ in range(3):
        w = finetune(w)
    finetune.clear_cache()
    return w


def recover(w, limit):
    for _ in range(4):
        w = pretrain(w)
        if w.nbytes > limit:
            jax.clear_caches()
            break
    return w
