"""Recursions whose loops are written in Python."""

from functools import partial

import jax
import jax.numpy as jnp

STEPS = 400


@jax.jit
def iterate(x):
    for _ in range(300):  # expect: JIT404 @literal
        x = jnp.sin(x) + 0.1
    return x


@jax.jit
def simulate(state):
    position, velocity = state
    for step in range(STEPS):  # expect: JIT404 @constant
        velocity = velocity - 0.01 * position
        position = position + 0.01 * velocity
    return position


@partial(jax.jit, static_argnames="count")
def moving(x, count):
    total = jnp.zeros(())
    for k in range(count):  # expect: JIT404 @static
        total = 0.9 * total + x[k]
    return total


@jax.jit
def pairwise(points):
    energy = 0.0
    for i in range(3):
        for j in range(150):  # expect: JIT404 @nested
            energy += jnp.exp(-((points[i] - points[j]) ** 2))
    return energy


def horner(coefficients, x):
    value = 0.0 * x
    for k in range(coefficients.shape[0]):  # expect: JIT404 @shape
        value = value * x + coefficients[k]
    return value


evaluate = jax.jit(horner)


def main():
    x = jnp.ones(2)
    return (
        iterate(x),
        simulate((x, x)),
        moving(jnp.ones(256), count=256),
        pairwise(jnp.ones(150)),
        evaluate(jnp.ones(200), 0.5),
    )
