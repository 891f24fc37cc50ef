"""A pendulum in a noisy room."""

import jax

from physics import math, numpy as np, random


def print(*values):  # noqa: A001
    """Tell JAX to print."""
    jax.debug.print(" ".join("{}" for _ in values), *values)


def input(name):  # noqa: A001
    """A setting; nothing is read from the keyboard."""
    return {"length": 2.0}[name]


@jax.jit
def period(amplitude):
    length = input("length")
    text = np.describe(amplitude)
    print(amplitude)
    return 2 * math.pi * math.sqrt(length / 9.81) * (1 + amplitude**2 / 16), len(text)


@jax.jit
def kicked(key, angle):
    kick = random.gauss(key, angle.shape) + random.choice(key, np.asarray([0.0, 1.0]))
    return np.sin(angle + math.floor(kick))
