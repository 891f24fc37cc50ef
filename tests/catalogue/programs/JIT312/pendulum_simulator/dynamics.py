import jax.numpy as jnp
from jax import lax


def make_body(dt, gravity):
    def body(_, state):
        angle, speed = state
        speed = speed - dt * gravity * jnp.sin(angle)
        return angle + dt * speed, speed

    return body


def simulate(angle, dt=0.1, steps=4):
    """The body is made anew in every call."""
    return lax.fori_loop(0, steps, make_body(dt, 9.8), (angle, 0.0))  # expect: JIT312 @fori


class Rollout:
    def __init__(self, damping):
        self.damping = damping

    def trajectory(self, state, forces):
        def step(state, force):
            state = state * self.damping + force
            return state, state

        return lax.scan(step, state, forces)[1]  # expect: JIT312 @step
