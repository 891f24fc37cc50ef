"""Accumulate gradients over micro-batches with Optax; the learning rate is set by hand."""

import random
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class SkipState(NamedTuple):
    """How many updates were thrown away."""

    skipped: jax.Array
    inner: optax.OptState


def skip_large(inner, limit):
    """Ignore updates whose norm is beyond a limit."""

    def init_fn(params):
        return SkipState(jnp.zeros((), jnp.int32), inner.init(params))

    def update_fn(updates, state, params=None):
        checks = []
        jax.tree.map(lambda leaf: checks.append(jnp.sum(leaf**2)), updates)
        fine = jnp.sqrt(sum(checks)) < limit
        updates, inner_state = inner.update(updates, state.inner, params)
        updates = jax.tree.map(lambda u: jnp.where(fine, u, 0.0), updates)
        return updates, SkipState(state.skipped + ~fine, inner_state)

    return optax.GradientTransformation(init_fn, update_fn)


def make_optimizer(every=2):
    """Adam with an adjustable rate, after ``every`` micro-batches."""
    adam = optax.inject_hyperparams(optax.adam)(learning_rate=1e-2)
    return optax.MultiSteps(skip_large(adam, 10.0), every_k_schedule=every)


optimizer = make_optimizer()


def loss_fn(params, batch):
    x, y = batch
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def step(params, opt_state, batch):
    """One micro-batch."""
    grads = jax.grad(loss_fn)(params, batch)
    grads["b"] = 0.5 * grads["b"]
    updates, opt_state = optimizer.update(grads, opt_state, params)
    params.update(optax.apply_updates(params, updates))
    return params, opt_state


@jax.jit
def damp(opt_state, factor):
    """Lower the learning rate inside the state that came in."""
    hyperparams = opt_state.inner_opt_state.inner.hyperparams
    hyperparams["learning_rate"] = factor * hyperparams["learning_rate"]
    return opt_state


def fit(batches, epochs=2):
    """Shuffle on the host, then train."""
    params = {"w": jnp.zeros(3), "b": jnp.zeros(())}
    opt_state = optimizer.init(params)
    order = list(range(len(batches)))
    losses = []
    evaluate = jax.jit(loss_fn)
    for epoch in range(epochs):
        random.shuffle(order)
        for place in order:
            params, opt_state = step(params, opt_state, batches[place])
        opt_state = damp(opt_state, 0.5)
        losses.append(float(evaluate(params, batches[0])))
        print(f"epoch {epoch}", losses[-1], "at rate", learning_rate(opt_state))
    return params, opt_state, losses


def learning_rate(opt_state):
    """The rate in force."""
    return float(opt_state.inner_opt_state.inner.hyperparams["learning_rate"])
