"""Training: one optimiser at a time, or several compared."""

from functools import partial

import jax
import jax.numpy as jnp
import optax

from .network import build, logits, weighted_logits

SETTINGS = {"hidden": [8, 4], "features": 5, "rates": (0.3, 0.1, 0.03)}


def loss_fn(params, xs, ys):
    return optax.sigmoid_binary_cross_entropy(logits(params, xs), ys).mean()


def update(optimizer, params, state, xs, ys):
    grads = jax.grad(loss_fn)(params, xs, ys)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


def make_update(optimizer):
    """A compiled update for one optimiser."""
    return jax.jit(partial(update, optimizer))


def make_named_update(optimizer):
    return jax.jit(
        update,
        static_argnames=("optimiser",),  # expect: JIT305 @optimiser
    )


def fresh(key):
    return build(key, (SETTINGS["features"], 6, 1))


def fresh_from_settings(key):
    sizes = [SETTINGS["features"], *SETTINGS["hidden"], 1]
    return build(key, sizes)  # expect: JIT304 @sizes


def train(key, xs, ys, steps=5):
    """Train with Adam."""
    optimizer = optax.adam(0.05)
    step = make_update(optimizer)
    params = fresh(key)
    state = optimizer.init(params)
    for _ in range(steps):
        params, state = step(params, state, xs, ys)
    return params


def compare_rates(key, xs, ys):
    """Final loss for each learning rate."""
    final = {}
    for rate in SETTINGS["rates"]:
        optimizer = optax.sgd(rate)
        params = fresh(key)
        state = optimizer.init(params)
        for _ in range(3):
            step = jax.jit(partial(update, optimizer))  # expect: JIT301 @partial
            params, state = step(params, state, xs, ys)
        final[rate] = float(loss_fn(params, xs, ys))
    return final


def calibrated(params, xs, temperature=2.0):
    return weighted_logits(params, xs, temperature)


def calibrated_by_name(params, xs):
    return weighted_logits(params, xs, "platt")  # expect: JIT308 @platt


def evaluate(params, folds):
    """Mean accuracy over folds."""
    hits = []
    for xs, ys in folds:
        predict = jax.jit(logits, static_argnames="activation")
        hits.append(jnp.mean((predict(params, xs, activation=jax.nn.relu) > 0) == (ys > 0.5)))
    return float(jnp.stack(hits).mean())
