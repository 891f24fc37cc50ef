"""Splines through knots."""

import bisect

import jax
import jax.numpy as jnp


def basis(t):
    return jnp.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])


@jax.jit
def bezier(control, t):
    if control.shape[0] != 4:
        raise ValueError("a cubic has four control points")
    if t < 0 or t > 1:  # expect: JIT101 @range
        t = jnp.clip(t, 0.0, 1.0)
    return basis(t) @ control


@jax.jit
def lookup(knots, values, t):
    index = bisect.bisect(knots, t)  # expect: JIT110 @bisect
    return values[index]
