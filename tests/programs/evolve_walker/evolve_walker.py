"""Evolution strategies for a walker that must keep its balance."""

import time
from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Setting:
    """What stays the same over a run; hashable, so it can be a static argument."""

    population: int = 16
    spread: float = 0.1
    rate: float = 0.2
    hidden: tuple = (6,)


def init_policy(key, setting):
    sizes = (3, *setting.hidden, 1)
    flat = []

    def add(key, rows, columns):
        flat.append(jax.random.normal(key, (rows * columns,)) / rows**0.5)

    for rows, columns in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        add(sub, rows, columns)
    return jnp.concatenate(flat)


def act(policy, observation, setting):
    offset = 0

    def take(rows, columns):
        nonlocal offset
        block = policy[offset : offset + rows * columns].reshape(rows, columns)
        offset += rows * columns
        return block

    sizes = (3, *setting.hidden, 1)
    hidden = observation
    for rows, columns in zip(sizes[:-1], sizes[1:]):
        hidden = jnp.tanh(hidden @ take(rows, columns))
    return hidden[0]


def walk(policy, key, setting):
    """The time upright, in steps of a noisy pendulum."""

    def step(state, key):
        angle, speed = state
        push = act(policy, jnp.stack([jnp.sin(angle), jnp.cos(angle), speed]), setting)
        speed = speed + 0.1 * jnp.sin(angle) + 0.2 * push + 0.01 * jax.random.normal(key)
        angle = angle + 0.1 * speed
        return (angle, speed), jnp.abs(angle) < 0.5

    start = (jnp.float32(0.1), jnp.float32(0.0))
    return jax.lax.scan(step, start, jax.random.split(key, 30))[1].sum()


@partial(jax.jit, static_argnames=["setting"])
def generation(policy, key, setting):
    draw, runs = jax.random.split(key)
    noise = jax.random.normal(draw, (setting.population, policy.size))
    reward = jax.vmap(lambda n: walk(policy + setting.spread * n, runs, setting))(noise)
    stats = {"best": reward.max()}
    stats.update(mean=reward.mean())
    centred = (reward - stats["mean"]) / (reward.std() + 1e-6)
    return policy + setting.rate * centred @ noise / setting.population, stats


def train(setting, seed, generations=4):
    key, sub = jax.random.split(jax.random.key(seed))
    policy = init_policy(sub, setting)
    rewards = []
    for _ in range(generations):
        key, sub = jax.random.split(key)
        policy, stats = generation(policy, sub, setting)
        rewards.append(float(stats["mean"]))
    print(f"{time.strftime('%H:%M')} after {generations} generations: {rewards[-1]:.1f}")
    return policy, rewards


def sweep():
    base = Setting()
    return {width: train(replace(base, hidden=(width,)), 0)[1] for width in (4, 8)}
