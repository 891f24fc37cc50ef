"""Innocent, though it looks like JIT204.

What makes it right: finally puts back.
"""

import jax
import jax.numpy as jnp


class Environment:
    def __init__(self):
        self.gravity = -9.81

    def step(self, state, action):
        return state + 0.01 * (action + self.gravity)


class Randomised:
    def __init__(self, env):
        self.env = env

    def step(self, gravity, state, action):
        env = self.env
        previous = env.gravity
        try:
            env.gravity = gravity
            return env.step(state, action)
        finally:
            env.gravity = previous


randomised = Randomised(Environment())
print(jax.jit(jax.vmap(randomised.step))(jnp.array([-9.0, -10.0]), jnp.zeros(2), jnp.ones(2)))
assert randomised.env.gravity == -9.81
