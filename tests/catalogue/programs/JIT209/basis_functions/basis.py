"""Polynomial bases for regression."""

import functools

import jax
import jax.numpy as jnp


class Basis:
    def __init__(self, degree):
        self.degree = degree

    @functools.lru_cache(maxsize=32)
    def exponents(self, shift):
        return jnp.arange(self.degree) + shift  # expect: JIT209 @exponents

    def features(self, x):
        return x[:, None] ** self.exponents(0)


basis = Basis(3)
fit_basis = functools.lru_cache(lambda rows: jnp.eye(rows) * 1e-3)  # expect: JIT209 @ridge


@jax.jit
def fit(x, y):
    phi = basis.features(x)
    return jnp.linalg.solve(phi.T @ phi + fit_basis(3), phi.T @ y)


def report(x, y):
    coefficients = fit(x, y)
    residual = basis.features(x) @ coefficients - y
    return coefficients, residual


def condition():
    return fit_basis(3).max()
