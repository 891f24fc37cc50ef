"""Evaluation at the end of each epoch, which a loop elsewhere asks for."""

from functools import partial

import jax
import jax.numpy as jnp


def top_k(logits, labels, k):
    return jnp.mean(jnp.any(jnp.argsort(logits)[:, -k:] == labels[:, None], axis=1))


class Evaluator:
    def __init__(self, x, y, k=2):
        self.x, self.y, self.k = x, y, k
        self.history = []

    def _logits(self, params):
        return self.x @ params

    def accuracy(self, params):
        logits = jax.jit(self._logits)(params)  # expect: JIT301 @bound
        return jnp.mean(jnp.argmax(logits, 1) == self.y)

    def top(self, params):
        score = jax.jit(partial(top_k, k=self.k))  # expect: JIT301 @partial
        return score(self._logits(params), self.y)

    def on_epoch_end(self, params):
        self.history.append((self.accuracy(params), self.top(params)))
