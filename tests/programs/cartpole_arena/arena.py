"""Roll policies out in many carts at once."""

from functools import partial

import jax
import jax.numpy as jnp

import cartpole
from cartpole import FORCE, reset


def linear_policy(weights, cart):
    features = jnp.stack(cart[:4])
    return jnp.where(features @ weights > 0, FORCE, -FORCE)


def bang_bang(weights, cart):
    return FORCE if cart.angle * weights[0] > 0 else -FORCE  # expect: JIT101 @bang


@partial(jax.jit, static_argnames=("policy", "horizon", "strict", "shaped"))
def rollout(weights, key, policy, horizon, strict=False, shaped=False):
    """Sum of rewards until the pole has fallen."""
    ended = cartpole.fallen if strict else cartpole.fallen_mask

    def step(carry, _):
        cart, alive = carry
        cart = cartpole.push(cart, policy(weights, cart))
        alive = alive & ~ended(cart)
        return (cart, alive), cartpole.reward(cart, shaped) * alive

    (cart, _), rewards = jax.lax.scan(step, (reset(key), jnp.array(True)), length=horizon)
    if horizon > 100:
        rewards = rewards / horizon
    return rewards.sum(), cart


@jax.jit
def replay(carts):
    """Energies along a recorded trajectory."""
    return jax.vmap(cartpole.energy)(carts)


def random_search(key, rounds=3, carts=4):
    best, best_score = None, -1.0
    for _ in range(rounds):
        key, weight_key, run_key = jax.random.split(key, 3)
        weights = jax.random.normal(weight_key, (4,))
        keys = jax.random.split(run_key, carts)
        scores, _ = jax.vmap(lambda k: rollout(weights, k, linear_policy, 20))(keys)
        score = float(scores.mean())
        if best is None or score > best_score:
            best, best_score = weights, score
    return best, best_score


def main():
    weights, score = random_search(jax.random.key(0))
    print(f"best score {score:.1f}")
    total, cart = rollout(weights, jax.random.key(1), linear_policy, 50, shaped=True)
    if cartpole.fallen(cart):
        print("fell after", int(cart.steps), "steps with", total)
    print(rollout(weights, jax.random.key(1), linear_policy, 50, strict=True)[0])
    print(rollout(weights, jax.random.key(1), bang_bang, 50)[0])
    print(replay(jax.vmap(reset)(jax.random.split(jax.random.key(2), 3))))


if __name__ == "__main__":
    main()
