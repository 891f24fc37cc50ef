"""A hook that somebody added while looking for a leak."""

import jax
import jax.numpy as jnp


@jax.jit
def update(params, x):
    return params - 0.1 * x.mean()


class Evaluator:
    def __init__(self):
        self._score = jax.jit(lambda params, x: jnp.tanh(x @ params).mean())

    def __call__(self, params, x):
        score = self._score(params, x)
        self._score.clear_cache()  # expect: JIT313 @hook
        return score


def evaluate(params, batches):
    evaluator = Evaluator()
    return [evaluator(params, x) for x in batches]


def train(batches, steps=3):
    params, step = jnp.eye(2), 0
    while step < steps:
        for x in batches:
            params = update(params, x)
        step += 1
        if step % 1 == 0:
            jax.clear_caches()  # expect: JIT313 @every
    return evaluate(params, batches)
