"""Innocent, though it looks like JIT204.

What makes it right: context manager that swaps.
"""

import contextlib

import jax
import jax.numpy as jnp


class Network:
    def __init__(self):
        self.params = jnp.ones(3)

    def __call__(self, x):
        return jnp.sum(self.params * x)


@contextlib.contextmanager
def using(network, **values):
    saved = {name: getattr(network, name) for name in values}
    for name, value in values.items():
        setattr(network, name, value)
    try:
        yield network
    finally:
        for name, value in saved.items():
            setattr(network, name, value)


network = Network()


@jax.jit
def loss(params, x):
    with using(network, params=params):
        return network(x)


print(loss(jnp.arange(3.0), jnp.ones(3)))
assert not isinstance(network.params, jax.core.Tracer)
