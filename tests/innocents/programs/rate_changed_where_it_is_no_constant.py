"""Innocent, though it looks like JIT208.

What makes it right: attribute behind a traced argument.
"""

import jax
import jax.numpy as jnp

config = {"rate": 0.1}


def injected(function):
    compiled = jax.jit(function)

    def call(params, grads):
        return compiled(params, grads, config["rate"])

    return call


@injected
def update(params, grads, rate):
    return params - rate * grads


first = update(jnp.ones(2), jnp.ones(2))
config["rate"] = 0.5
second = update(jnp.ones(2), jnp.ones(2))
print(first, second)
assert float(second[0]) == 0.5
