"""A trainer that donates its state and looks back at it."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, donate_argnums=(0,))
def sgd(params, batch):
    return params - 0.1 * jnp.mean(batch) * params


@partial(jax.jit, donate_argnames=("state",))
def advance(state, dt):
    return {"x": state["x"] + dt * state["v"], "v": state["v"] * 0.99}


@jax.jit
def evaluate(params):
    return jnp.sum(params**2)


def change(params, batch):
    new = sgd(params, batch)
    return jnp.linalg.norm(new - params)  # expect: JIT310 @change


def same_start(batches):
    params = jnp.ones(3)
    results = []
    for batch in batches:
        results.append(sgd(params, batch))  # expect: JIT310 @turn
    return results


def with_target(batches):
    params = jnp.ones(3)
    target = params
    for batch in batches:
        params = sgd(params, batch)
    return evaluate(target)  # expect: JIT310 @alias


def energies(steps=2):
    state = {"x": jnp.zeros(2), "v": jnp.ones(2)}
    history = []
    for _ in range(steps):
        new = advance(state=state, dt=0.1)
        history.append(0.5 * (state["v"] ** 2).sum())  # expect: JIT310 @leaf
        state = new
    return history


def checkpointed(batch):
    params = jnp.ones(3)
    checkpoint = {"step": 0, "params": params}
    params = sgd(params, batch)
    np.asarray(checkpoint["params"])  # expect: JIT310 @checkpoint
    return params
