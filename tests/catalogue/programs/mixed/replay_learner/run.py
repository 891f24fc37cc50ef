"""Act, remember, learn."""

import time

import jax.numpy as jnp

from agent import Agent, mean_value
from buffer import ReplayBuffer


def collect(steps=3):
    agent, buffer = Agent(), ReplayBuffer(4, 3)
    values = []
    for step in range(steps):
        state = jnp.full(3, 0.1 * step)
        action = agent.act(agent.w, state)
        agent.decay()
        buffer.count += 1
        values.append(mean_value(agent.w, buffer.recent() + action))  # expect: JIT307 @recent
    return values


def learn(steps=4):
    agent = Agent()
    batch = jnp.ones((8, 3))
    for step in range(steps):
        agent.w = agent.learn(agent.w, batch, step)  # expect: JIT306 @step
    return agent.w


def speed(repeats=5):
    agent, states = Agent(), jnp.ones((64, 3))
    start = time.time()
    for _ in range(repeats):
        mean_value(agent.w, states).block_until_ready()
    return repeats / (time.time() - start)  # expect: JIT402 @speed
