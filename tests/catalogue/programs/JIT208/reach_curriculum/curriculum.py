"""A reaching task whose penalty grows from stage to stage."""

import jax
import jax.numpy as jnp

WEIGHTS = {"distance": 1.0, "energy": 0.0}
limits = {}


@jax.jit
def reward(hand, goal, torque):
    distance = jnp.linalg.norm(hand - goal)
    penalty = WEIGHTS["energy"] * jnp.sum(torque**2)  # expect: JIT208 @energy
    return -WEIGHTS["distance"] * distance - penalty


@jax.jit
def clip_torque(torque):
    bound = limits.get("torque", 1.0)  # expect: JIT208 @limit
    return jnp.clip(torque, -bound, bound)


def evaluate(torques):
    hand = jnp.zeros(3)
    goal = jnp.ones(3)
    return sum(reward(hand, goal, clip_torque(torque)) for torque in torques)


def train(torques, stages=3):
    WEIGHTS["energy"] = 0.0
    returns = []
    for stage in range(stages):
        returns.append(evaluate(torques))
        WEIGHTS["energy"] += 0.5
    return returns


def loosen(torques):
    limits.clear()
    tight = evaluate(torques)
    limits["torque"] = 5.0
    return tight, evaluate(torques)
