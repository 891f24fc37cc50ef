"""Samplers that take their parts, or make them."""

import jax
import jax.numpy as jnp
import numpy as np


class Generator:
    """Keys in a row."""

    def __init__(self, seed=0):
        self.key = jax.random.key(seed)

    def next_key(self):
        self.key, sub = jax.random.split(self.key)  # expect: JIT204 @key
        return sub


class NumpyGenerator:
    """The same with NumPy."""

    def noise(self, shape):
        return np.random.normal(size=shape)  # expect: JIT207 @noise


class Sampler:
    """Random walks in a potential."""

    def __init__(self, potential, gen=None, noise=None):
        self.potential = potential
        self.gen = gen or Generator()
        self.noise = noise or NumpyGenerator()
        self._temperature = 1.0
        self._history = ()

    @property
    def temperature(self):
        return self._temperature

    @temperature.setter
    def temperature(self, value):
        self._history = (*self._history, value)
        self._temperature = value

    def propose(self, x):
        return x + jax.random.normal(self.gen.next_key(), x.shape)

    def shake(self, x):
        return x + self.noise.noise(x.shape)

    def compiled_walk(self):
        """A step with keys, which belongs to this sampler."""

        @jax.jit
        def step(x):
            return self.propose(x)

        return step

    def compiled_shake(self):
        return jax.jit(lambda x: self.shake(x))

    def compiled_annealing(self):
        """A step that cools down."""

        @jax.jit
        def step(x, cooling):
            self.temperature = self.temperature * cooling  # expect: JIT204 @temperature
            return x - 0.1 * jax.grad(self.potential)(x) / self.temperature

        return step


def bowl(x):
    return jnp.sum(x**2)


if __name__ == "__main__":
    sampler = Sampler(bowl)
    print(sampler.compiled_walk()(jnp.ones(2)), sampler.compiled_shake()(jnp.ones(2)))
    print(sampler.compiled_annealing()(jnp.ones(2), 0.9))
