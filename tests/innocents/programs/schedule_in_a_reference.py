"""Looks like a fault of JIT208.

The settings are mutable references of JAX, made from a table of numbers.

A compiled function that reads one reads what it holds when it runs.
"""
import types

import jax
import jax.numpy as jnp

DEFAULTS = {"rate": 0.5, "decay": 0.9}


def live(numbers):
    return types.SimpleNamespace(
        **{name: jax.new_ref(jnp.float32(value)) for name, value in numbers.items()}
    )


SETTINGS = live(DEFAULTS)


@jax.jit
def step(weights, grads):
    return SETTINGS.decay[...] * weights - SETTINGS.rate[...] * grads


def anneal(weights, factors):
    for factor in factors:
        weights = step(weights, jnp.ones_like(weights))
        SETTINGS.rate[...] = SETTINGS.rate[...] * factor
    return weights


if __name__ == "__main__":
    first = step(jnp.zeros(2), jnp.ones(2))
    assert jnp.allclose(first, -0.5)
    SETTINGS.rate[...] = jnp.float32(0.25)
    assert jnp.allclose(step(jnp.zeros(2), jnp.ones(2)), -0.25)
    SETTINGS.decay[...] = jnp.float32(1.0)
    weights = anneal(jnp.zeros(2), (0.5, 0.5))
    assert jnp.allclose(weights, -0.375)
