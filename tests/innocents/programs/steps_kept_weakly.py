"""Looks like a fault of JIT303.

A WeakKeyDictionary with `setdefault` keeps the program of each model.

Only the first closure that is made for a model is ever called, so that only
that one is compiled.
"""
import weakref

import jax
import jax.numpy as jnp


class Model:
    def __init__(self, scale):
        self.scale = scale

    def loss(self, weights, batch):
        return jnp.mean((batch @ weights - self.scale) ** 2)


_programs = weakref.WeakKeyDictionary()


def train_step(model, weights, batch):
    def step(weights, batch):
        grads = jax.grad(model.loss)(weights, batch)
        return weights - 0.1 * grads

    program = _programs.setdefault(model, jax.jit(step))
    return program(weights, batch)


def train(model, weights, batches):
    for batch in batches:
        weights = train_step(model, weights, batch)
    return weights


if __name__ == "__main__":
    events = []
    jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: events.append(name))
    model, batches = Model(2.0), [jnp.eye(3)] * 5
    weights = train_step(model, jnp.zeros(3), batches[0])
    before = len([name for name in events if "compile" in name])
    weights = train(model, weights, batches)
    assert len([name for name in events if "compile" in name]) == before
    assert _programs[model]._cache_size() == 1
    assert jnp.all(weights > 0)
