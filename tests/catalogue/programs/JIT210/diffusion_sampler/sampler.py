"""Langevin sampling; every draw should use the next key."""

from functools import partial

import jax


class Sampler:
    def __init__(self, seed, draws=16):
        self._keys = iter(list(jax.random.split(jax.random.key(seed), draws)))

    @partial(jax.jit, static_argnums=0)
    def noise(self, x):
        key = next(self._keys)  # expect: JIT210 @noise
        return x + 0.1 * jax.random.normal(key, x.shape)

    def run(self, x, steps):
        for _ in range(steps):
            x = self.noise(0.9 * x)
        return x


def chain(x, seed=0, steps=5):
    keys = iter(list(jax.random.split(jax.random.key(seed), steps)))

    def body(x, _):
        x = x + jax.random.normal(next(keys), x.shape)  # expect: JIT210 @body
        return x, x

    return jax.lax.scan(body, x, None, length=steps)
