"""Steps per second of a small learner."""

import time

import jax.numpy as jnp

from agent import Agent


class Monitor:
    def __init__(self):
        self.updates = []
        self.acts = []

    def tick(self):
        self.began = time.perf_counter()

    def tock(self, into):
        into.append(time.perf_counter() - self.began)


def learn(steps=2, width=350):
    agent, monitor = Agent(width), Monitor()
    batch = jnp.ones((width, width))
    agent.update(batch)
    agent.act(batch[0])
    for _ in range(steps):
        monitor.tick()
        agent.update(batch)
        monitor.tock(monitor.updates)  # expect: JIT401 @update
        agent.act(batch[0])
        monitor.tick()
        agent.act(batch[0])
        monitor.tock(monitor.acts)
    return monitor


def fps(steps=4, width=350):
    agent, batch = Agent(width), jnp.ones((width, width))
    agent.update(batch)
    agent.w.block_until_ready()
    start = time.time()
    for _ in range(steps):
        agent.update(batch)
    return steps / (time.time() - start)  # expect: JIT401 @fps
