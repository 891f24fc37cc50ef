"""Roll out linear policies."""

from functools import partial

import jax
import jax.numpy as jnp


def act(policy, observation):
    """Torque of a linear policy."""
    return jnp.dot(policy, observation)


def make_rollout(env, length):
    """A compiled rollout of ``length`` steps."""

    def advance(policy, state, _):
        state = env.step(state, act(policy, env.observe(state)))
        return state, state.reward

    @jax.jit
    def rollout(policy, state):
        final, rewards = jax.lax.scan(partial(advance, policy), state, None, length=length)
        return final, rewards.sum()

    return rollout


def starts(env, key, count):
    """Initial states of a batch of environments."""
    return jax.vmap(env.reset)(jax.random.split(key, count))


def trace_rewards(state, decay, length):
    """Rewards of a pendulum that only loses speed, without compiling the whole."""

    def coast(carry, _):
        carry = carry._replace(speed=decay * carry.speed, reward=-(carry.speed**2))
        print("reward", carry.reward)  # expect: JIT201 @reward
        return carry, carry.reward

    return jax.lax.scan(coast, state, length=length)[1]


def random_search(env, key, rounds=3):
    """Keep the best of a few random policies."""
    rollout = make_rollout(env, 5)
    state = jax.tree.map(lambda leaf: leaf[0], starts(env, key, 2))
    best = (-jnp.inf, None)
    for number, policy_key in enumerate(jax.random.split(key, rounds)):
        policy = jax.random.normal(policy_key, (3,))
        _, total = rollout(policy, state)
        print("round", number, float(total))
        if total > best[0]:
            best = (total, policy)
    return best
