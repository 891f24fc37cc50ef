"""Looks like a fault of JIT307.

A deque with `maxlen` drops a frame for each that is appended.

It is filled at the start of an episode, so that the stack has one shape.
"""
from collections import deque

import jax
import jax.numpy as jnp

SETTINGS = {"stack": {"maxlen": 4}, "shape": (6, 6)}


class FrameStack:
    def __init__(self, **options):
        self.frames = deque(**options)

    def reset(self, frame):
        self.frames.extend([frame] * self.frames.maxlen)

    def observe(self, frame):
        self.frames.append(frame)
        return list(self.frames)


@jax.jit
def q_values(weights, frames):
    stacked = jnp.stack(frames)
    return jnp.einsum("fhw,hwa->a", stacked, weights) / len(frames)


def episode(weights, steps):
    stack = FrameStack(**SETTINGS["stack"])
    stack.reset(jnp.zeros(SETTINGS["shape"]))
    actions = []
    for step in range(steps):
        frame = jnp.full(SETTINGS["shape"], jnp.float32(step))
        actions.append(int(jnp.argmax(q_values(weights, stack.observe(frame)))))
    return actions


if __name__ == "__main__":
    weights = jnp.stack([jnp.full((6, 6), v) for v in (0.1, 0.3, 0.2)], axis=-1)
    actions = episode(weights, 8)
    assert actions[1:] == [1] * 7
    assert q_values._cache_size() == 1
