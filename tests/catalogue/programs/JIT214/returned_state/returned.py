"""Containers that are changed inside and do come back, or are nobody else's."""

import jax
import jax.numpy as jnp


@jax.jit
def advance(state):
    state["position"] = state["position"] + state["velocity"]
    state["count"] += 1
    return state


@jax.jit
def collect(history, x):
    history.append(x * 2)
    return x, history


@jax.jit
def stored(cache, x):
    value = jnp.tanh(x)
    cache["last"] = value
    return value, cache["last"]


@jax.jit
def normalised(batch):
    batch = dict(batch)
    batch["x"] = batch["x"] / jnp.max(batch["x"])
    extra = {}
    extra["n"] = batch["x"].shape[0]
    batch.update(extra)
    return batch["x"] * batch["n"]


@jax.jit
def renamed(params):
    params = jax.tree.map(jnp.copy, params)
    params["scale"] = params.pop("gamma")
    rows = list(params["rows"])
    rows.append(params["scale"])
    return sum(rows)


def main():
    state = {"position": jnp.zeros(2), "velocity": jnp.ones(2), "count": 0}
    for _ in range(2):
        state = advance(state)
    x, history = collect([], jnp.ones(2))
    cache = {}
    value, cache["last"] = stored(cache, x)
    batch = {"x": jnp.arange(3.0)}
    total = normalised(batch)
    params = {"gamma": jnp.ones(2), "rows": [jnp.zeros(2)]}
    return state, history, cache, value, total, batch, renamed(params), params
