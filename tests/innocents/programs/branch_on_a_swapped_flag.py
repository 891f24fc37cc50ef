"""Innocent, though it looks like JIT101.

What makes it right: tracer swapped for its value.
"""

import jax
import jax.numpy as jnp


class Gate:
    def __init__(self):
        self.open = jnp.array(True)


def concretise(obj):
    for name, value in vars(obj).items():
        setattr(obj, name, value.item() if value.ndim == 0 else value)


gate = Gate()
concretise(gate)


@jax.jit
def pass_through(x):
    return x if gate.open else jnp.zeros_like(x)


print(pass_through(jnp.ones(2)))
