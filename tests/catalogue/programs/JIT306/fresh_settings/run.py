import jax.numpy as jnp

from solver import Settings, euler, midpoint


def advance(y, dt):
    return euler(y, Settings(dt))  # expect: JIT306 @settings


def simulate(steps=4):
    y = jnp.ones(2)
    for _ in range(steps):
        y = advance(y, 0.1)
    return y


def compare(steps=4, decay=0.5):
    y = jnp.ones(2)
    for _ in range(steps):
        y = midpoint(lambda y: -decay * y, y, 0.1)  # expect: JIT306 @rate
    return y
