"""Looks like a fault of JIT104.

The metadata of a field takes it out of the leaves of a flax dataclass.

The options of all models are declared by one table, from which the class is
made.
"""
import dataclasses

import jax
import jax.numpy as jnp
from flax import struct

OPTIONS = {"training": (bool, True), "use_bias": (bool, True), "depth": (int, 2)}


def options(cls):
    for name, (kind, default) in OPTIONS.items():
        cls.__annotations__[name] = kind
        setattr(cls, name, dataclasses.field(default=default, metadata={"pytree_node": False}))
    return struct.dataclass(cls)


@options
class Net:
    weight: jax.Array
    bias: jax.Array


@jax.jit
def forward(net, x, key):
    for _ in range(net.depth):
        x = jnp.tanh(x @ net.weight)
        if net.use_bias and not net.training:
            x = x + net.bias
    if net.training and 0 < net.depth < 10:
        x = x * jax.random.bernoulli(key, 0.9, x.shape)
    return x


if __name__ == "__main__":
    net = Net(jnp.eye(4) * 0.5, jnp.ones(4))
    key = jax.random.key(1)
    noisy = forward(net, jnp.ones((2, 4)), key)
    clean = forward(net.replace(training=False), jnp.ones((2, 4)), key)
    assert noisy.shape == clean.shape == (2, 4)
    assert jnp.all(clean > 1.0)
    forward(net.replace(weight=jnp.eye(4)), jnp.ones((2, 4)), key)
    assert forward._cache_size() == 2
