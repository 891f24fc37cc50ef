"""Long loops that stage little, or are not traced."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Stack(eqx.Module):
    layers: list

    def __init__(self, depth, key):
        self.layers = [eqx.nn.Linear(3, 3, key=k) for k in jax.random.split(key, depth)]

    def __call__(self, x):
        for layer in self.layers:
            x = jax.nn.relu(layer(x))
        return x


@jax.jit
def table_sum(x):
    table = np.zeros(1000)
    for k in range(1, 1000):
        table[k] = table[k - 1] + 1.0 / k
    return x * table.sum()


@jax.jit
def unrolled_on_purpose(x):
    return jax.lax.fori_loop(0, 64, lambda k, x: x + 1.0 / (k + 1.0), x, unroll=4)


def leapfrog(q, p, steps=300):
    """Runs on the host, one compiled step at a time."""
    for _ in range(steps):
        q, p = kick(q, p)
    return q


@jax.jit
def kick(q, p):
    p = p - 0.01 * q
    return q + 0.01 * p, p


def main():
    model = Stack(5, jax.random.key(0))
    x = jnp.ones(3)
    return eqx.filter_jit(model)(x), table_sum(x), unrolled_on_purpose(x), leapfrog(x, x)
