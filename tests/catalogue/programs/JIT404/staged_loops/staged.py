"""Loops that JAX runs, that are short, or in which nothing is staged."""

import jax
import jax.numpy as jnp
import numpy as np

LAYERS = 4


@jax.jit
def iterate(x):
    return jax.lax.fori_loop(0, 300, lambda _, x: jnp.sin(x) + 0.1, x)


@jax.jit
def network(params, x):
    for layer in range(LAYERS):
        x = jnp.tanh(x @ params[layer])
    return x


@jax.jit
def filtered(x):
    taps = []
    for k in range(500):
        taps.append(np.exp(-k / 100.0))
    squares = sum(k * k for k in range(1000))
    return jnp.convolve(x, np.array(taps, np.float32)) / squares


@jax.jit
def step(x):
    return 0.5 * x + 1.0


def train(x, epochs=1000):
    for _ in range(epochs):
        x = step(x)
    return x


def main():
    x = jnp.ones(3)
    return iterate(x), network(jnp.ones((LAYERS, 3, 3)), x), filtered(x), train(x)
