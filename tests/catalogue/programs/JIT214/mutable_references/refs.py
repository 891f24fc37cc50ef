"""Changes that JAX and Flax carry out of the trace."""

import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self):
        self.calls = nnx.Variable(jnp.zeros((), jnp.int32))
        self.scale = nnx.Param(jnp.ones(2))


@nnx.jit
def call(counter, x):
    counter.calls[...] += 1
    return counter.scale * x


@jax.jit
def accumulate(total, x):
    total[...] += x
    return x


@jax.jit
def host_copy(params):
    return jax.tree.map(lambda p: p * 2, params)


def main():
    counter = Counter()
    total = jax.new_ref(jnp.zeros(2))
    for k in range(3):
        accumulate(total, call(counter, jnp.full(2, float(k))))
    params = {"w": jnp.ones(2)}
    doubled = host_copy(params)
    params["w"] = doubled["w"]
    return counter.calls[...], total[...], params
