"""Looks like a fault of JIT101.

The wrapper asks the metadata of the environment whether its step may be compiled.
"""

import jax
import jax.numpy as jnp
import numpy as np

ENVIRONMENTS = {}


def register(name, **metadata):
    def decorate(cls):
        cls.metadata = metadata
        return ENVIRONMENTS.setdefault(name, cls)

    return decorate


@register("spring-v0")
class Spring:
    start = (1.0, 0.0)

    def step(self, state, action):
        position, velocity = state
        velocity = velocity + 0.1 * (action - position)
        return jnp.stack([position + 0.1 * velocity, velocity]), -jnp.abs(position)


@register("corridor-v0", jittable=False)
class Corridor:
    start = (0.0, 0.0)

    def step(self, state, action):
        place, visits = state
        if action > 0 and place < 3:
            place = place + 1
        reward = 1.0 if place == 3 else 0.0
        return np.array([place, visits + 1]), reward


class Environment:
    def __init__(self, name):
        self.env = ENVIRONMENTS[name]()
        compiles = self.env.metadata.get("jittable", True)
        self.step = jax.jit(self.env.step) if compiles else self.env.step

    def rollout(self, policy, length):
        state, total = np.array(self.env.start, np.float32), 0.0
        for _ in range(length):
            state, reward = self.step(state, policy(state))
            total += float(reward)
        return total


if __name__ == "__main__":
    assert Environment("corridor-v0").rollout(lambda state: 1.0, 5) == 3.0
    spring = Environment("spring-v0")
    assert spring.rollout(lambda state: 0.0, 5) < 0.0
