"""Tables that the program makes by itself."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

SIZE = 1500


@jax.jit
def distances(x):
    index = jnp.arange(SIZE)
    return jnp.sum(jnp.exp(-jnp.abs(index[:, None] - index)) * x)


@partial(jax.jit, static_argnames="size")
def noise(key, size):
    return jax.random.normal(key, (size, size)).std()


@jax.jit
def fourier(x):
    frequencies = np.fft.fftfreq(64)
    return x * jnp.asarray(frequencies).sum()


class Model:
    def __init__(self, weights):
        self.weights = weights
        self.apply = jax.jit(lambda weights, x: x @ weights)

    def __call__(self, x):
        return self.apply(self.weights, x)


def main():
    model = Model(np.random.default_rng(0).normal(size=(SIZE, SIZE)).astype(np.float32))
    return distances(1.0), noise(jax.random.key(0), size=SIZE), fourier(1.0), model(jnp.ones(SIZE))[0]
