"""What does each order cost?  The sweep is about compilation; the loops below reuse it."""

import time
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="order")
def polynomial(x, order):
    return sum(x**k / (k + 1) for k in range(order))


@eqx.filter_jit
def scaled(x, factor):
    return x * factor


def compile_times(orders=(2, 4, 8)):
    x = jnp.linspace(0, 1, 16)
    rows = []
    for order in orders:
        start = time.perf_counter()
        polynomial.lower(x, order=order).compile()
        compile_time = time.perf_counter() - start
        rows.append((order, compile_time))
    return rows


def factors(x):
    for k in range(4):
        x = scaled(x, jnp.asarray(0.9**k))
    return x


def fixed(x, order=3):
    for _ in range(4):
        x = polynomial(x, order=order)
    return x
