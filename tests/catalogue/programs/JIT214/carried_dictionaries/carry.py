"""Dictionaries that are changed on their way through a loop."""

import jax
import jax.numpy as jnp


@jax.jit
def simulate(state, inputs):
    def body(state, x):
        state["memory"] = 0.9 * state["memory"] + x
        state["count"] = state["count"] + 1
        return state, state["memory"]

    return jax.lax.scan(body, state, inputs)


@jax.jit
def split(batch):
    batch = {**batch, "mask": batch["x"] > 0}
    labels = batch.pop("y")
    batch["x"] = jnp.where(batch["mask"], batch["x"], 0.0)
    return batch, labels


def merge(into, other):
    into.update(other)
    return into


@jax.jit
def combined(params, extra):
    return merge(params, extra)


def main():
    state = {"memory": jnp.zeros(2), "count": 0}
    state, path = simulate(state, jnp.ones((3, 2)))
    batch = {"x": jnp.array([-1.0, 1.0]), "y": jnp.ones(2)}
    return state, path, split(batch), batch, combined({"a": 1.0}, {"b": 2.0})
