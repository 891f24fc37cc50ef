"""Innocent, though it looks like JIT207.

What makes it right: registry asked by an unknown key.
"""

import json
import time

import jax
import jax.numpy as jnp

REGISTRY = {}


def register(function):
    REGISTRY[function.__name__] = function
    return function


@register
def swish(x):
    return x * jax.nn.sigmoid(x)


@register
def benchmark(x):
    start = time.perf_counter()
    jnp.sum(x).block_until_ready()
    return time.perf_counter() - start


def build(config):
    activation = REGISTRY[config["activation"]]

    @jax.jit
    def forward(w, x):
        return activation(x @ w)

    return forward


forward = build(json.loads('{"activation": "swish"}'))
print(forward(jnp.ones((2, 2)), jnp.ones(2)), benchmark(jnp.ones(2)))
