"""Innocent, though it looks like JIT105.

What makes it right: monkeypatch of an object.
"""

import types

import jax
import jax.numpy as jnp


class Reward:
    def bonus(self, distance):
        return 1.0 if float(distance) < 0.1 else 0.0

    def __call__(self, distance):
        return -distance + self.bonus(distance)


def smooth_bonus(self, distance):
    return jax.nn.sigmoid(10 * (0.1 - distance))


reward = Reward()
setattr(reward, "bo" + "nus", types.MethodType(smooth_bonus, reward))


@jax.jit
def evaluate(distance):
    return reward(distance)


print(evaluate(0.4))
