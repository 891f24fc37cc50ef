"""Portfolios on the simplex."""

import jax
import jax.numpy as jnp


def project(weights):
    ordered = jnp.sort(weights)[::-1]
    excess = (jnp.cumsum(ordered) - 1) / jnp.arange(1, weights.shape[0] + 1)
    count = jnp.sum(ordered > excess)
    return jnp.maximum(weights - excess[count - 1], 0.0)


def utility(weights, returns, covariance, aversion):
    if weights.ndim != 1:
        raise ValueError("one weight for each asset")
    if covariance.shape != (weights.size, weights.size):
        raise ValueError("the covariance has a row for each asset")
    mean = returns.mean(axis=0) @ weights
    return mean - aversion * weights @ covariance @ weights


@jax.jit
def ascend(weights, returns, covariance, aversion):
    slope = jax.grad(utility)(weights, returns, covariance, aversion)
    new = project(weights + 0.1 * slope)
    if utility(new, returns, covariance, aversion) < 0:  # expect: JIT101 @worse
        return weights
    return new
