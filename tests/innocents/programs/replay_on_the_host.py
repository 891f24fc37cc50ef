"""Looks like a fault of JIT205.

The subclass that the agent's settings choose allocates in NumPy, where an element can be assigned.
"""
import jax
import jax.numpy as jnp
import numpy


class Replay:
    xp = jnp

    def __init__(self, capacity, width):
        self.observations = self.allocate(capacity, width)
        self.rewards = self.allocate(capacity)
        self.capacity = capacity
        self.filled = 0

    def allocate(self, *shape):
        return self.xp.zeros(shape, dtype=self.xp.float32)

    def add(self, observation, reward):
        slot = self.filled % self.capacity
        self.observations[slot] = observation
        self.rewards[slot] += reward
        self.filled += 1


class HostReplay(Replay):
    xp = numpy


@jax.jit
def value(weights, observations):
    return observations @ weights


def make_replay(settings):
    return globals()[settings["replay"]](settings["capacity"], 2)


if __name__ == "__main__":
    replay = make_replay({"replay": "HostReplay", "capacity": 4})
    for turn in range(6):
        replay.add(jnp.full(2, turn, jnp.float32), 1.0)
    assert replay.observations[:, 0].tolist() == [4.0, 5.0, 2.0, 3.0]
    assert replay.rewards.tolist() == [2.0, 2.0, 1.0, 1.0]
    assert value(jnp.ones(2), replay.observations).tolist() == [8.0, 10.0, 4.0, 6.0]
