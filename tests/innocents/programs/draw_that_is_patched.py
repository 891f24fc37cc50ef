"""Innocent, though it looks like JIT207.

What makes it right: monkeypatch of a library.
"""

import random

import jax
import jax.numpy as jnp


def from_the_key():
    return jax.random.uniform(KEYS.pop())


KEYS = []
random.random = from_the_key


@jax.jit
def perturb(x, key):
    KEYS.append(key)
    return x + random.random()


first, second = (perturb(jnp.ones(2), jax.random.key(seed)) for seed in (0, 1))
print(first, second)
assert not jnp.allclose(first, second)
