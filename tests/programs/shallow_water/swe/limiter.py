"""Slope limiters, by name."""

import jax.numpy as jnp


def minmod(a, b):
    return jnp.where(a * b > 0, jnp.where(jnp.abs(a) < jnp.abs(b), a, b), 0.0)


def superbee(a, b):
    if a * b <= 0:  # expect: JIT101 @bee
        return 0.0
    return jnp.maximum(jnp.minimum(2 * a, b), jnp.minimum(a, 2 * b))


def none(a, b):
    return 0.5 * (a + b)


_BY_NAME = {"minmod": minmod, "superbee": jnp.vectorize(superbee), "none": none}


def limiter(name):
    try:
        return _BY_NAME[name]
    except KeyError:
        raise ValueError(f"no limiter {name!r}") from None
