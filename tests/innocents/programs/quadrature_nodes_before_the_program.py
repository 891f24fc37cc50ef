"""Innocent, though it looks like JIT102.

What makes it right: the iteration runs under ensure_compile_time_eval, which computes on concrete arrays at once.
"""

import contextlib
from functools import partial

import jax
import jax.numpy as jnp


class Planner(contextlib.ExitStack):
    """What is planned in here is known before the program is built."""

    def __enter__(self):
        self.enter_context(jax.ensure_compile_time_eval())
        return super().__enter__()


def legendre(order, x):
    before, here = jnp.ones_like(x), x
    for k in range(1, order):
        before, here = here, ((2 * k + 1) * x * here - k * before) / (k + 1)
    slope = order * (x * here - before) / (x * x - 1.0)
    return here, slope


def gauss_nodes(order):
    x = jnp.cos(jnp.pi * (jnp.arange(order) + 0.75) / (order + 0.5))
    value, slope = legendre(order, x)
    while jnp.max(jnp.abs(value / slope)) > 1e-6:
        x = x - value / slope
        value, slope = legendre(order, x)
    return x, 2.0 / ((1.0 - x * x) * slope**2)


@partial(jax.jit, static_argnames="order")
def mean_emission(temperature, order):
    with Planner():
        nodes, weights = gauss_nodes(order)
    profile = temperature * (1.0 + 0.5 * nodes**2)
    return 0.5 * jnp.sum(weights * profile)


assert jnp.allclose(mean_emission(2.0, order=4), 2.0 * (1.0 + 0.5 / 3.0), atol=1e-4)
assert jnp.allclose(mean_emission(3.0, order=5), 3.0 * (1.0 + 0.5 / 3.0), atol=1e-4)
