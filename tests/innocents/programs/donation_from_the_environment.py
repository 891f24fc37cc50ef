"""Looks like a fault of JIT310.

The environment says what is donated.

Where it says so, the caller keeps copies.
"""
import os

import jax
import jax.numpy as jnp

os.environ.setdefault("TRAIN_DONATE", "")


def donated_names():
    return tuple(name for name in os.environ["TRAIN_DONATE"].split(",") if name)


def keep(tree, name):
    """What may be read after a step: a copy, if the step takes the original."""
    return jax.tree.map(jnp.copy, tree) if name in donated_names() else tree


def update(params, momentum, grads):
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
    return jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum), momentum


def compile_update():
    return jax.jit(update, donate_argnames=donated_names())


def movement(step, params, momentum, grads):
    before = keep(params, "params")
    params, momentum = step(params, momentum, grads)
    moved = jax.tree.map(lambda new, old: jnp.abs(new - old).max(), params, before)
    return params, momentum, moved


def largest_move(step, steps):
    params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
    momentum = jax.tree.map(jnp.zeros_like, params)
    grads = jax.tree.map(jnp.ones_like, params)
    for _ in range(steps):
        params, momentum, moved = movement(step, params, momentum, grads)
    return moved


if __name__ == "__main__":
    assert jnp.isclose(largest_move(compile_update(), 2)["w"], 0.19, atol=1e-5)
    os.environ["TRAIN_DONATE"] = "params,momentum"
    assert jnp.isclose(largest_move(compile_update(), 2)["w"], 0.19, atol=1e-5)
