"""Looks like a fault of JIT312.

Each turn of a loop over lengths scans a series of another length, which needs a program anyway.
"""

import jax.numpy as jnp
from jax import grad, lax, random


def recurrent(params, sequence):
    def step(state, value):
        new = params[0] * state + params[1] * value
        return new, new**2

    _, outputs = lax.scan(step, 0.0, sequence)
    return jnp.sum(outputs)


def norms(key):
    lengths = [4, 9, 16]
    found = []
    for length in lengths:
        series = random.normal(key, (length,))
        found.append(jnp.linalg.norm(grad(recurrent)(jnp.array([0.9, 0.1]), series)))
    return found


if __name__ == "__main__":
    assert len(norms(random.PRNGKey(0))) == 3
