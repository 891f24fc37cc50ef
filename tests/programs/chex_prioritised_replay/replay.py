"""Prioritised replay on the device."""

import chex
import jax
import jax.numpy as jnp

LARGEST = 1.0


@chex.dataclass
class Replay:
    """Ring buffer of transitions and how badly each was predicted."""

    storage: dict
    priorities: chex.Array
    cursor: chex.Array
    filled: chex.Array


def create(capacity, width):
    """An empty buffer."""
    return Replay(
        storage={"obs": jnp.zeros((capacity, width)), "reward": jnp.zeros(capacity)},
        priorities=jnp.zeros(capacity),
        cursor=jnp.zeros((), jnp.int32),
        filled=jnp.zeros((), jnp.int32),
    )


def advance(replay):
    """Move the cursor; the buffer handed in is changed."""
    capacity = replay.priorities.shape[0]
    replay.cursor = (replay.cursor + 1) % capacity
    replay.filled = jnp.minimum(replay.filled + 1, capacity)


@jax.jit
def add(replay, obs, reward, priority):
    """Insert a transition in place of the oldest."""
    chex.assert_rank([obs, reward], [1, 0])
    place = replay.cursor
    storage = dict(replay.storage)
    storage["obs"] = storage["obs"].at[place].set(obs)
    storage["reward"] = storage["reward"].at[place].set(reward)
    replay.storage = storage
    replay.priorities.at[place].set(priority)  # expect: JIT212 @priority
    advance(replay)
    return replay


def overwrite(columns, place, row):
    """Write a row into every column."""
    for name, value in row.items():
        columns[name][place] = value  # expect: JIT205 @columns
    return columns


@jax.jit
def replace(replay, place, row):
    """Correct a transition that is already stored."""
    return replay.replace(storage=overwrite(dict(replay.storage), place, row))


@jax.jit
def reweigh(replay, errors):
    """New priorities from temporal-difference errors."""
    global LARGEST
    chex.assert_equal_shape([replay.priorities, errors])
    priorities = jnp.abs(errors) + 1e-3
    LARGEST = jnp.max(priorities)  # expect: JIT203 @largest
    return replay.replace(priorities=priorities)


def sample(replay, key, count):
    """Indices drawn by priority."""
    weights = replay.priorities / jnp.sum(replay.priorities)
    return jax.random.choice(key, replay.priorities.shape[0], (count,), p=weights)


def note_shape(value, shapes=[]):
    """Every shape that has come by."""
    shapes.append(value.shape)  # expect: JIT211 @shapes
    return shapes
