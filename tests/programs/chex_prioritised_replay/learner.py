"""Learn the value of observations from replayed batches."""

from functools import partial

import chex
import jax
import jax.numpy as jnp

import replay as buffers


@chex.dataclass(frozen=True)
class Learner:
    """Weights and how often they were updated."""

    weights: chex.Array
    updates: chex.Array


def errors(learner, storage):
    """Prediction minus reward, and what shapes they had."""
    difference = storage["obs"] @ learner.weights - storage["reward"]
    seen = buffers.note_shape(difference)
    chex.assert_rank(difference, len(seen[0]))
    return difference


@jax.jit
@chex.assert_max_traces(n=4)
def learn(learner, storage):
    """One step down the squared error."""

    def loss(weights):
        return jnp.mean(errors(learner.replace(weights=weights), storage) ** 2)

    weights = learner.weights - 0.1 * jax.grad(loss)(learner.weights)
    return learner.replace(weights=weights, updates=learner.updates + 1)


def learn_until(learner, replay, key, target, counts=(2, 4, 8, 16)):
    """Replay ever larger batches until the error is small."""
    remaining = list(counts)
    while remaining:
        draw = jax.jit(partial(buffers.sample, count=remaining.pop(0)))  # expect: JIT301 @draw
        key, draw_key = jax.random.split(key)
        batch = jax.tree.map(lambda column: column[draw(replay, draw_key)], replay.storage)
        learner = learn(learner, batch)
        if float(jnp.mean(errors(learner, replay.storage) ** 2)) < target:
            break
    return learner
