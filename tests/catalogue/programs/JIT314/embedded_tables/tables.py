"""Tables that become part of the program."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
EMBEDDING = rng.normal(size=(4000, 300)).astype(np.float32)
IMAGES = jnp.asarray(rng.normal(size=(1200, 28, 28)), jnp.float32)


@jax.jit
def lookup(tokens):
    return jnp.asarray(EMBEDDING)[tokens].mean(0)  # expect: JIT314 @embedding


@jax.jit
def loss(w):
    return jnp.mean((IMAGES.reshape(1200, -1) @ w) ** 2)  # expect: JIT314 @images


def make_score(data):
    @jax.jit
    def score(w):
        return jnp.sum(data @ w)  # expect: JIT314 @data

    return score


score = make_score(np.random.default_rng(1).normal(size=(1000, 1000)))


class Projector:
    def __init__(self, width):
        self.matrix = np.random.default_rng(2).uniform(size=(width, 1000))

    @partial(jax.jit, static_argnums=0)
    def project(self, x):
        return x @ self.matrix  # expect: JIT314 @matrix


projector = Projector(1000)


def run():
    return lookup(np.arange(3)), loss(jnp.ones(784)), score(jnp.ones(1000)), projector.project(jnp.ones(1000))
