import jax.numpy as jnp

import integrator

from tools.harm import same


def body():
    x = jnp.zeros(2)
    end = integrator.simulate(x)
    # With the same noise e in each turn: 0.1 e (1 + 0.9 + 0.81).
    one = jnp.asarray(integrator.jax.random.normal(integrator.jax.random.key(0), (2,)))
    return same(end, 0.271 * one)


def rows():
    noise = integrator.corrupt(jnp.zeros((3, 4)))
    return same(noise[0], noise[2]) and same(noise, integrator.corrupt(jnp.zeros((3, 4))))


HOSTILE = {}
SILENT = {"body": body, "rows": rows}
