"""Looks like a fault of JIT311.

The descriptor that compiles the methods keys its programs on `vars(self)`.

A method sees a frozen stand-in with the attributes of the moment.
"""
import types
from functools import partial

import jax
import jax.numpy as jnp


class compiled_method:
    def __init__(self, fn):
        self.fn = fn

        @partial(jax.jit, static_argnums=0)
        def program(attributes, *args):
            return fn(types.SimpleNamespace(**dict(attributes)), *args)

        self.program = program

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return lambda *args: self.program(tuple(sorted(vars(instance).items())), *args)


class Explorer:
    def __init__(self):
        self.epsilon = 1.0
        self.training = True

    @compiled_method
    def act(self, q_values, key):
        greedy = jnp.argmax(q_values)
        if not self.training:
            return greedy
        random = jax.random.randint(key, (), 0, q_values.size)
        return jnp.where(jax.random.uniform(key) < self.epsilon, random, greedy)

    def freeze(self):
        self.training = False
        self.epsilon = 0.0


def evaluate(explorer, q_values, keys):
    explored = {int(explorer.act(q_values, key)) for key in keys}
    explorer.freeze()
    exploited = {int(explorer.act(q_values, key)) for key in keys}
    return explored, exploited


if __name__ == "__main__":
    keys = list(jax.random.split(jax.random.key(0), 20))
    explored, exploited = evaluate(Explorer(), jnp.array([0.0, 1.0, 0.5]), keys)
    assert explored == {0, 1, 2} and exploited == {1}
    assert Explorer.act.program._cache_size() == 2
