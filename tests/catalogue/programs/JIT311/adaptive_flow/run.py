"""The step is adapted from outside."""

import jax.numpy as jnp

from flow import Flow


def adapt(steps=3):
    flow = Flow(0.1, 0.5)
    u = jnp.array([0.0, 1.0, 0.0, 0.0])
    for _ in range(steps):
        u = flow.step(u)
        flow.dt = 0.9 * flow.dt
    return u


def push():
    flow = Flow(0.1, 0.5)
    u = flow.forcing(jnp.zeros(3))
    flow.force = 2.0
    return flow.forcing(u)
