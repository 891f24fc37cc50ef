"""The schedule object is global, and changes with every step."""

import jax
import jax.numpy as jnp

from state import schedule


def learning_rate():
    return 0.01 if schedule.warm else 0.1  # expect: JIT208 @warm


@jax.jit
def update(w):
    return w - learning_rate() * 2 * w


@jax.jit
def annealed(w):
    noise = 1.0 / (1 + schedule.step)  # expect: JIT208 @step
    return w + noise


def fit(step, count=4):
    schedule.step, schedule.warm = 0, True
    w = jnp.ones(2)
    for _ in range(count):
        w = step(w)
        schedule.advance()
    return w
