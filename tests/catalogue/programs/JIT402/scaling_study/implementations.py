import jax
import jax.numpy as jnp


def with_scan(x):
    return jax.lax.scan(lambda total, v: (total + v, total), 0.0, x)[1]


def with_cumsum(x):
    return jnp.cumsum(x) - x
