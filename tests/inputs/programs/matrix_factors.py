"""Recommendations from two factor matrices."""

import jax
import jax.numpy as jnp


def ratings(factors, users, items):
    left = factors["users"][users]
    right = factors["items"][items]
    return jnp.sum(left * right, axis=-1) + factors["bias"][items]


def loss(factors, batch):
    guess = ratings(factors, batch["user"], batch["item"])
    error = guess - batch["rating"]
    seen = set(batch["user"])  # expect: JIT111 @seen
    return jnp.mean(error**2) / len(seen)


@jax.jit
def step(factors, batch):
    grads = jax.grad(loss)(factors, batch)
    return jax.tree.map(lambda f, g: f - 0.01 * g, factors, grads)


@jax.jit
def recommend(factors, user):
    scores = factors["items"] @ factors["users"][user] + factors["bias"]
    best = max(scores)  # expect: JIT110 @best
    return scores >= best
