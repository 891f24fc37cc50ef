"""A scan looks up its schedule."""

import functools

import jax
import jax.numpy as jnp


@functools.cache
def cosine_table(steps):
    table = 0.5 * (1 + jnp.cos(jnp.pi * jnp.arange(steps) / steps))
    return table  # expect: JIT209 @table


def descend(x, steps):
    def body(x, step):
        return x - cosine_table(steps)[step] * 0.1 * x, x

    return jax.lax.scan(body, x, jnp.arange(steps))


def compare(x):
    fine, _ = descend(x, 4)
    other, _ = descend(2 * x, 4)
    return fine, other, cosine_table(4).sum()
