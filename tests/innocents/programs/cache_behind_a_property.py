"""Innocent, though it looks like JIT310.

What makes it right: property that reads a dict.
"""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=0)
def append(cache, token):
    return jnp.roll(cache, 1).at[0].set(token)


class Session:
    def __init__(self, size):
        self._held = {"cache": jnp.zeros(size)}

    @property
    def cache(self):
        cache = self._held.get("cache")
        if cache is None:
            raise RuntimeError("closed")
        return cache

    def push(self, token):
        self._held["cache"] = append(self.cache, token)

    def run(self, tokens):
        for token in tokens:
            self.push(token)
        return self.cache.sum()


print(Session(4).run([1.0, 2.0, 3.0]))
