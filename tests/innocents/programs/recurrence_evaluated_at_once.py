"""Looks like a fault of JIT404.

The long loop runs under ensure_compile_time_eval, and leaves only its result.

A table of context managers decides where a recurrence is evaluated.
"""
import contextlib

import jax
import jax.numpy as jnp

WHERE = {"now": jax.ensure_compile_time_eval, "device": contextlib.nullcontext}


def legendre_nodes(count, iterations, where="now"):
    """Nodes of the Gauss-Legendre quadrature, by Newton's method."""
    with WHERE[where]():
        index = jnp.arange(count)
        x = jnp.cos(jnp.pi * (index + 0.75) / (count + 0.5))
        for _ in range(iterations):
            before, p = jnp.ones_like(x), x
            for degree in range(2, count + 1):
                before, p = p, ((2 * degree - 1) * x * p - (degree - 1) * before) / degree
            slope = count * (x * p - before) / (x**2 - 1)
            x = x - p / slope
    return x, 2 / ((1 - x**2) * slope**2)


@jax.jit
def integral(amplitude):
    nodes, weights = legendre_nodes(8, iterations=40)
    return jnp.sum(weights * jnp.exp(amplitude * nodes))


if __name__ == "__main__":
    assert jnp.isclose(integral(1.0), jnp.exp(1.0) - jnp.exp(-1.0), rtol=1e-4)
    assert jnp.isclose(integral(0.0), 2.0, rtol=1e-4)
    program = jax.make_jaxpr(integral)(1.0)
    inner = program.jaxpr.eqns[0].params["jaxpr"]
    assert len(inner.jaxpr.eqns) < 20
