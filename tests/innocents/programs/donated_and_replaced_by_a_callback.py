"""Innocent, though it looks like JIT310.

What makes it right: callback puts back.
"""

import importlib

import jax
import jax.numpy as jnp

train_step = jax.jit(lambda params, x: (params - 0.1 * x, (params * x).sum()), donate_argnums=0)


class Trainer:
    def __init__(self, params, callbacks):
        self.params = params
        self.callbacks = callbacks

    def fit(self, batches):
        for batch in batches:
            new, loss = train_step(self.params, batch)
            for callback in self.callbacks:
                callback(self, new, loss)
        return self.params


def keep(trainer, params, loss):
    trainer.params = params


def find(names):
    return [getattr(importlib.import_module("__main__"), name) for name in names]


if __name__ == "__main__":
    print(Trainer(jnp.ones(2), find(["keep"])).fit([jnp.ones(2)] * 3))
