"""Gradient descent and the closed form."""

from functools import partial

import jax
import jax.numpy as jnp

from .design import cubic_design

updates = 0
best = {"loss": None}


def ridge_loss(weights, design, prices, penalty=0.1):
    residual = design @ weights - prices
    loss = jnp.mean(residual**2) + penalty * jnp.sum(weights**2)
    remember(loss)
    return loss


def remember(loss):
    best["loss"] = loss  # expect: JIT202 @best


@jax.jit
def descend(weights, design, prices):
    global updates
    updates += 1  # expect: JIT203 @updates
    gradient = jax.grad(ridge_loss)(weights, design, prices)
    return weights - 0.01 * gradient


def closed_form(design, prices, penalty):
    gram = design.T @ design + penalty * jnp.eye(design.shape[1])
    return jnp.linalg.solve(gram, design.T @ prices)


solve_ridge = jax.jit(closed_form)


def sweep_slow(design, prices, penalties):
    weights = []
    for penalty in penalties:
        solve = jax.jit(partial(closed_form, penalty=penalty))  # expect: JIT301 @sweep
        weights.append(solve(design, prices))
    return jnp.stack(weights)


def sweep(design, prices, penalties):
    weights = []
    for penalty in penalties:
        weights.append(solve_ridge(design, prices, penalty))
    return jnp.stack(weights)


def fit(columns, prices, epochs=5):
    design = cubic_design(columns)
    weights = jnp.zeros(design.shape[1])
    for epoch in range(epochs):
        weights = descend(weights, design, prices)
        print(f"epoch {epoch}: |w| = {jnp.linalg.norm(weights):.3f}")
    return weights
