"""Chances of taking a flip."""

import math

import jax.numpy as jnp

WEIGHTS = {-8: 1.0, -4: 1.0, 0: 1.0, 4: 0.3, 8: 0.1}


def flip_ratio(delta, beta):
    """Chance of taking a flip that costs the given energy."""
    if delta <= 0 or beta == 0:  # expect: JIT101 @cost
        return 1.0
    return jnp.exp(-beta * delta)


def flip_ratio_math(delta, beta):
    return math.exp(-beta * delta)  # expect: JIT105 @exp


def flip_ratio_table(delta, beta):
    return WEIGHTS[delta]  # expect: JIT111 @table


def flip_ratio_smooth(delta, beta):
    return jnp.exp(-beta * jnp.maximum(delta, 0))
