"""Looks like a fault of JIT205.

A mixin puts NumPy arrays in place of all fields, whatever they are, before they are written to.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


class OnHost:
    def to_host(self):
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return dataclasses.replace(self, **{k: np.array(v) for k, v in fields.items()})


@dataclasses.dataclass
class Episode(OnHost):
    states: jax.Array
    rewards: jax.Array
    done: jax.Array


@jax.jit
def physics(state, action):
    state = 0.9 * state + action
    return state, -jnp.sum(state**2)


def play(state, actions):
    states, rewards = [], []
    for action in actions:
        state, reward = physics(state, action)
        states.append(state)
        rewards.append(reward)
    done = jnp.zeros(len(actions), bool)
    return Episode(jnp.stack(states), jnp.stack(rewards), done)


def prepare(episode, low=-1.0):
    """Clips the rewards, and marks the end."""
    episode = episode.to_host()
    episode.done[-1] = True
    episode.rewards[episode.rewards < low] = low
    episode.states[episode.done] = 0.0
    return episode


if __name__ == "__main__":
    played = play(jnp.zeros(2), [jnp.array([a, 0.0]) for a in (0.5, 2.0, -1.0)])
    ready = prepare(played)
    assert ready.rewards.tolist() == [-0.25, -1.0, -1.0]
    assert ready.done.tolist() == [False, False, True] and not ready.states[-1].any()
    assert played.rewards[1] < -1.0 and not played.done.any()
