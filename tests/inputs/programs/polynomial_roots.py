"""Newton's method on polynomials, one for each row."""

import jax
import jax.numpy as jnp


def evaluate(coefficients, z):
    value, slope = 0.0, 0.0
    for c in coefficients:
        slope = slope * z + value
        value = value * z + c
    return value, slope


def newton(coefficients, z):
    for _ in range(10):
        value, slope = evaluate(coefficients, z)
        if slope == 0:  # expect: JIT101 @flat
            break
        z = z - value / slope
    return z


roots = jax.jit(jax.vmap(newton))


@jax.jit
def companion(coefficients):
    degree = coefficients.shape[0] - 1
    monic = coefficients[1:] / coefficients[0]
    matrix = jnp.eye(degree, k=-1).at[0].set(-monic)
    radius = float(jnp.abs(matrix).sum(axis=1).max())  # expect: JIT105 @radius
    return matrix, radius
