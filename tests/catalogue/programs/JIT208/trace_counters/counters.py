"""How often is it traced?  The tests ask."""

import jax
import jax.numpy as jnp

traces = 0


def counted(function):
    def traced(*args):
        global traces
        traces += 1  # expect: JIT203 @traces
        return function(*args)

    return traced


@jax.jit
@counted
def norm(x):
    return jnp.sqrt(jnp.sum(x**2))


def test_traced_once():
    global traces
    traces = 0
    for k in range(3):
        norm(jnp.full(4, float(k)))
    assert traces <= 1
