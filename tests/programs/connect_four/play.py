"""Policies and matches."""

import random

import jax
import jax.numpy as jnp
import numpy as np

from .rules import Position, start

transcript = []


def rollout(position: Position, key):
    """The winner of a game with random moves; a full column passes."""

    def undecided(carry):
        current, _, count = carry
        return (current.winner() == 0) & (count < 20)

    def move(carry):
        current, key, count = carry
        key, sub = jax.random.split(key)
        logits = jnp.where(current.legal(), 0.0, -1e9)
        return current.play(jax.random.categorical(sub, logits)), key, count + 1

    final, _, _ = jax.lax.while_loop(undecided, move, (position, key, 0))
    return final.winner()


@jax.jit
def evaluate(position, key):
    """The mean result of four rollouts after each of the seven moves."""
    keys = jax.random.split(key, 4)
    values = []
    for column in range(7):
        after = position.play(column)
        values.append(jax.vmap(rollout, in_axes=(None, 0))(after, keys).mean())
    return jnp.stack(values)


def match(seed, moves=4):
    """Rollouts against a player who moves at random, for a few moves."""
    key = jax.random.key(seed)
    position = start()
    transcript.clear()
    for number in range(moves):
        if number % 2:
            column = random.choice(np.flatnonzero(position.legal()).tolist())
        else:
            key, sub = jax.random.split(key)
            column = int(evaluate(position, sub).argmax())
        position = position.play(column)
        transcript.append(column)
        print(f"move {number}: column {column}")
    return position
