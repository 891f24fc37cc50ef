"""Slice sampling by stepping out and shrinking."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class Chain(NamedTuple):
    key: jax.Array
    x: jax.Array
    count: int = 0


def log_density(x):
    return jnp.logaddexp(-0.5 * (x - 2) ** 2, -0.5 * (x + 2) ** 2)


def bracket(key, x, level, width=1.0, limit=6):
    """An interval around x that reaches below the level."""
    left = x - width * jax.random.uniform(key)
    right = left + width
    grown = 0

    def grow(edge, direction):
        nonlocal grown
        for _ in range(limit):
            grown += 1
            edge = jnp.where(log_density(edge) > level, edge + direction * width, edge)
        return edge

    left, right = grow(left, -1), grow(right, 1)
    assert grown == 2 * limit
    return left, right


def shrink(key, x, level, left, right):
    def outside(carry):
        return log_density(carry[1]) < level

    def again(carry):
        key, point, left, right = carry
        key, sub = jax.random.split(key)
        left = jnp.where(point < x, point, left)
        right = jnp.where(point < x, right, point)
        return key, jax.random.uniform(sub, minval=left, maxval=right), left, right

    first, key = jax.random.split(key)
    start = (key, jax.random.uniform(first, minval=left, maxval=right), left, right)
    return lax.while_loop(outside, again, start)[1]


@jax.jit
def update(chain: Chain):
    key, level_key, bracket_key, shrink_key = jax.random.split(chain.key, 4)
    level = log_density(chain.x) + jnp.log(jax.random.uniform(level_key))
    left, right = bracket(bracket_key, chain.x, level)
    return Chain(key, shrink(shrink_key, chain.x, level, left, right), chain.count + 1)


def sample(seed, draws, kept=None):
    """Draw; an own list may be given."""
    kept = [] if kept is None else kept
    chain = Chain(jax.random.key(seed), jnp.float32(0.0))
    for _ in range(draws):
        chain = update(chain)
        kept.append(float(chain.x))
    print(f"{int(chain.count)} draws, mean {sum(kept) / len(kept):.2f}")
    return kept


if __name__ == "__main__":
    sample(0, 50)
