"""The function is the same each time, or is only compiled for a look."""

import functools

import jax
import jax.numpy as jnp


def update(w, g):
    return w - 0.1 * g


class Learner:
    def __init__(self, w):
        self.w = w

    def step(self, g):
        self.w = jax.jit(update)(self.w, g)

    def describe(self):
        return jax.jit(self._loss).lower(self.w).as_text()

    def _loss(self, w):
        return jnp.sum(w**2)


@functools.lru_cache
def compiled_loss(power):
    return jax.jit(lambda w: jnp.sum(jnp.abs(w) ** power))


def losses(w, count=3):
    return [compiled_loss(2)(w) for _ in range(count)]


def main():
    learner = Learner(jnp.ones(2))
    for _ in range(3):
        learner.step(jnp.ones(2))
    return len(learner.describe()), losses(learner.w)
