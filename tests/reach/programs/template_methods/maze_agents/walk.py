"""Walk through the maze."""

import jax.numpy as jnp

from agents import make


def episode(name, moves=3):
    """Act and learn for some moves."""
    agent = make(name)
    state = jnp.int32(0)
    for _ in range(moves):
        action = agent.act(state)
        after = (state + 1 + action) % 3
        reward = jnp.where(after == 2, 1.0, -0.1)
        agent.values = agent.learn(agent.values, state, action, reward, after)
        state = after
    return agent.values


if __name__ == "__main__":
    print("greedy", episode("greedy"))
    print("explorer", episode("explorer"))
    print("cautious", episode("cautious"))
