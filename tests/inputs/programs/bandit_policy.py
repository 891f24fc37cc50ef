"""Epsilon greedy and UCB."""

import jax
import jax.numpy as jnp


def ucb(counts, values, t):
    bonus = jnp.sqrt(2 * jnp.log(t) / jnp.maximum(counts, 1))
    return jnp.argmax(values + bonus)


@jax.jit
def choose(key, counts, values, t, epsilon):
    explore, pick = jax.random.split(key)
    if jax.random.uniform(explore) < epsilon:  # expect: JIT101 @explore
        return jax.random.randint(pick, (), 0, counts.shape[0])
    return ucb(counts, values, t)


@jax.jit
def learn(counts, values, arm, reward):
    counts = counts.at[arm].add(1)
    name = ["left", "middle", "right"][arm]  # expect: JIT107 @arm
    del name
    return counts, values.at[arm].add((reward - values[arm]) / counts[arm])
