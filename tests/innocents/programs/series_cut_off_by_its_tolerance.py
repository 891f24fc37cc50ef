"""Looks like a fault of JIT404.

A helper stops the loop by a bound in numbers of Python, after a few turns: the range is only a limit.
"""

import functools
import itertools
import math

import jax
import jax.numpy as jnp


def until_small(terms, tolerance):
    """Counters and coefficients, up to the first that does not matter any more."""
    return itertools.takewhile(lambda pair: abs(pair[1]) > tolerance, terms)


def bessel_coefficients(limit):
    for k in range(limit):
        yield k, (-1) ** k / math.factorial(k) ** 2 / 4**k


@functools.partial(jax.jit, static_argnames="tolerance")
def bessel_j0(x, tolerance=1e-9):
    """The power series, for arguments up to two."""
    total, power = jnp.zeros_like(x), jnp.ones_like(x)
    for _, coefficient in until_small(bessel_coefficients(limit=400), tolerance):
        total = total + coefficient * power
        power = power * x * x
    return total


@jax.jit
def exponential(matrix):
    total = term = jnp.eye(len(matrix))
    bound = 1.0
    for k in range(1, 1000):
        bound /= k
        if bound < 1e-8:
            break
        term = term @ matrix / k
        total = total + term
    return total


if __name__ == "__main__":
    assert jnp.allclose(bessel_j0(jnp.array([0.0, 1.0, 2.0])), jnp.array([1.0, 0.765198, 0.223891]), atol=1e-5)
    turn = exponential(jnp.array([[0.0, 1.0], [-1.0, 0.0]]))
    assert jnp.allclose(turn, jnp.array([[jnp.cos(1), jnp.sin(1)], [-jnp.sin(1), jnp.cos(1)]]), atol=1e-5)
    assert len(jax.make_jaxpr(bessel_j0)(1.0).jaxpr.eqns[0].params["jaxpr"].eqns) < 40
    assert len(jax.make_jaxpr(exponential)(turn).jaxpr.eqns[0].params["jaxpr"].eqns) < 50
