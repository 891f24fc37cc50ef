"""Training steps that get Python numbers as static arguments."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="step")
def decayed(w, grads, step):
    rate = 0.1 if step < 2 else 0.1 / step
    return w - rate * grads


@partial(jax.jit, static_argnums=(2,))
def explore(q_values, key, epsilon):
    greedy = jnp.argmax(q_values)
    random = jax.random.randint(key, (), 0, q_values.shape[0])
    return jnp.where(jax.random.uniform(key) < epsilon, random, greedy)


def fit(steps=5):
    w = jnp.ones(3)
    for step in range(steps):
        w = decayed(w, 2 * w, step=step)  # expect: JIT306 @step
    return w


def episode(length=5):
    key, epsilon = jax.random.key(0), 1.0
    actions = []
    while len(actions) < length:
        key, use = jax.random.split(key)
        actions.append(explore(jnp.arange(3.0), use, epsilon))  # expect: JIT306 @epsilon
        epsilon *= 0.9
    return actions
