"""Looks like a fault of JIT312.

A `cached_property` makes the body of the scan once for each object.
"""

import functools
import logging

import jax
import jax.numpy as jnp


class Pendulum:
    def __init__(self, dt, gravity):
        self.dt = dt
        self.gravity = gravity

    @functools.cached_property
    def transition(self):
        dt, gravity = self.dt, self.gravity

        def body(carry, noise):
            angle, speed, gain = carry
            force = -gravity * jnp.sin(angle) - gain * speed + noise
            speed = speed + dt * force
            angle = angle + dt * speed
            return (angle, speed, gain), angle

        return body

    def rollout(self, gain, noise):
        return jax.lax.scan(self.transition, (1.0, 0.0, gain), noise)[1]


def compare(env, gains, noise):
    spread = {}
    for gain in gains:
        path = env.rollout(gain, noise)
        spread[gain] = float(jnp.abs(path[-50:]).max())
    return spread


if __name__ == "__main__":
    env = Pendulum(0.05, 9.8)
    noise = 0.01 * jnp.ones(300)
    compare(env, [0.1], noise)
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logging.getLogger("jax").addHandler(handler)
    with jax.log_compiles():
        spread = compare(env, [0.1, 1.0, 5.0, 2.0], noise)
    assert spread[5.0] < spread[0.1]
    assert not [line for line in lines if "Compiling" in line], lines
