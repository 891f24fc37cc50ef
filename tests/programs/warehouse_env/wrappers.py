"""What wraps the rules: automatic resets, and a stateful face for people."""

import random

import jax
import jax.numpy as jnp


class AutoReset:
    """Starts again when time is up."""

    def __init__(self, rules):
        self.rules = rules

    def step(self, key, world, action):
        """A step, or a fresh world."""
        moved, reward = self.rules.step(world, action)
        over = moved.steps >= self.rules.limit
        fresh = self.rules.reset(key)
        world = jax.tree.map(lambda new, old: jnp.where(over, new, old), fresh, moved)
        return world, reward


class Playground:
    """Keeps a world for interactive play: runs outside of any trace."""

    def __init__(self, rules, seed=0):
        self.rules = rules
        self.key = jax.random.key(seed)
        self.world = rules.reset(self.key)
        self.returns = 0.0
        self.trail = []
        self._step = jax.jit(AutoReset(rules).step)

    def act(self, action=None):
        """One move, at random unless told."""
        if action is None:
            action = random.randrange(4)
        self.key, key = jax.random.split(self.key)
        self.world, reward = self._step(key, self.world, action)
        self.returns += float(reward)
        self.trail.append(tuple(self.world.robot.tolist()))
        print("robot at", self.trail[-1])
        return reward
