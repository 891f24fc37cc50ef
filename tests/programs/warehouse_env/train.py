"""Batches of rollouts for an evolutionary search."""

import jax
import jax.numpy as jnp

from .wrappers import AutoReset


def make_evaluator(rules, length):
    """A compiled function from many policies to their returns."""
    env = AutoReset(rules)

    def rollout(policy, key):
        def advance(carry, key):
            world, total = carry
            features = jnp.concatenate([world.robot, world.distances()]) / world.size
            world, reward = env.step(key, world, jnp.argmax(policy @ features))
            outputs.append(reward.dtype)
            return (world, total + reward), reward

        outputs = []
        start, *keys = jax.random.split(key, length + 1)
        (_, total), _ = jax.lax.scan(advance, (rules.reset(start), 0.0), jnp.stack(keys))
        assert len(outputs) >= 1
        return total

    return jax.jit(jax.vmap(rollout))


def search(rules, key, rounds=3, population=4):
    """Random search; the best return of every round."""
    evaluate = make_evaluator(rules, 6)
    best = []
    while len(best) < rounds:
        key, policy_key, run_key = jax.random.split(key, 3)
        policies = jax.random.normal(policy_key, (population, 4, 2 + rules.boxes))
        returns = evaluate(policies, jax.random.split(run_key, population))
        best.append(float(returns.max()))
    return best
