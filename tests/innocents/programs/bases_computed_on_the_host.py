"""Looks like a fault of JIT209.

A loop over the class puts ensure_compile_time_eval around what is cached.
"""
import functools

import jax
import jax.numpy as jnp


def evaluated(fn):
    @functools.wraps(fn)
    def call(*args):
        with jax.ensure_compile_time_eval():
            return fn(*args)

    return call


class Basis:
    @staticmethod
    def chebyshev(order):
        nodes = jnp.cos(jnp.pi * (jnp.arange(order) + 0.5) / order)
        return jnp.cos(jnp.arange(order)[:, None] * jnp.arccos(nodes)[None])

    @staticmethod
    def vandermonde(order):
        return jnp.vander(jnp.linspace(-1.0, 1.0, order), increasing=True)


for _name, _method in list(vars(Basis).items()):
    if isinstance(_method, staticmethod):
        _cached = functools.lru_cache(evaluated(_method.__func__))
        setattr(Basis, _name, staticmethod(_cached))


@jax.jit
def project(values):
    return Basis.chebyshev(values.shape[0]) @ values


@jax.jit
def interpolate(coefficients):
    return Basis.vandermonde(coefficients.shape[0]) @ coefficients


if __name__ == "__main__":
    with jax.checking_leaks():
        first = project(jnp.ones(4)), interpolate(jnp.ones(3))
    second = project(jnp.ones((4, 2))), interpolate(jnp.ones((3, 2)))
    assert jnp.isclose(first[0][0], 4.0) and jnp.allclose(second[0][0], 4.0)
    assert float(interpolate(jnp.ones(3))[2]) == 3.0
    assert not isinstance(Basis.chebyshev(4), jax.core.Tracer)
    assert Basis.chebyshev(4).shape == (4, 4)
