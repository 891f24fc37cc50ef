"""Looks like a fault of JIT103.

Hooks registered for the "after" event run between compiled steps on fetched values; only those of the "inside" event are called while tracing, and they assert nothing about values.
"""

from collections import defaultdict

import jax
import jax.numpy as jnp
import numpy as np


class Trainer:
    def __init__(self, loss_fn, learning_rate=0.1):
        self.loss_fn = loss_fn
        self.learning_rate = learning_rate
        self.hooks = defaultdict(list)
        self._compiled = jax.jit(self._step)

    def on(self, event):
        def register(fn):
            self.hooks[event].append(fn)
            return fn

        return register

    def emit(self, event, loss, grads):
        for hook in self.hooks[event]:
            loss, grads = hook(loss, grads)
        return loss, grads

    def _step(self, params, x, y):
        loss, grads = jax.value_and_grad(self.loss_fn)(params, x, y)
        loss, grads = self.emit("inside", loss, grads)
        params = jax.tree.map(lambda p, g: p - self.learning_rate * g, params, grads)
        return params, loss, grads

    def fit(self, params, x, y, steps):
        for _ in range(steps):
            params, loss, grads = self._compiled(params, x, y)
            loss, grads = self.emit("after", loss, grads)
        return params, loss


def squared_error(params, x, y):
    return jnp.mean(jnp.square(x @ params["w"] + params["b"] - y))


trainer = Trainer(squared_error)


@trainer.on("inside")
def clip_gradients(loss, grads):
    return loss, jax.tree.map(lambda g: jnp.clip(g, -1.0, 1.0), grads)


@trainer.on("after")
def sanity(loss, grads):
    assert loss >= 0.0, "negative squared error"
    assert jnp.all(jnp.abs(grads["w"]) <= 1.0), "unclipped gradient"
    return loss, grads


if __name__ == "__main__":
    x = np.linspace(-1, 1, 16, dtype=np.float32)[:, None]
    y = 3.0 * x[:, 0] + 0.5
    start = {"w": jnp.zeros(1), "b": jnp.zeros(())}
    params, loss = trainer.fit(start, x, y, 100)
    assert float(loss) < 0.05
    assert trainer._compiled._cache_size() == 1
