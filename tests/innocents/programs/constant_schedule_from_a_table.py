"""Looks like a fault of JIT210.

The iterator that the configuration names repeats one value for ever.

Advanced once or a thousand times, it gives the same number.
"""
import configparser
import itertools

import jax
import jax.numpy as jnp

CONFIG = configparser.ConfigParser()
CONFIG.read_string(
    """
    [schedule]
    kind = constant
    rate = 0.25
    """
)


def make_schedule(section):
    kinds = {
        "constant": lambda rate: itertools.repeat(rate),
        "harmonic": lambda rate: (rate / n for n in itertools.count(1)),
    }
    return kinds[section["kind"]](section.getfloat("rate"))


rates = make_schedule(CONFIG["schedule"])


def sgd(weights, grads):
    return weights - next(rates) * grads


compiled = jax.jit(sgd) if isinstance(rates, itertools.repeat) else sgd


def train(weights, target, steps):
    for _ in range(steps):
        weights = compiled(weights, weights - target)
    return weights


if __name__ == "__main__":
    target = jnp.array([1.0, -1.0])
    weights = train(jnp.zeros(2), target, 8)
    slow = jnp.zeros(2)
    for _ in range(8):
        slow = sgd(slow, slow - target)
    assert jnp.allclose(weights, slow)
    assert jnp.allclose(weights, (1 - 0.75**8) * target)
