"""Looks like a fault of JIT303.

Of the calls of the function that jits, one returns before it does, and two stand in branches of one test.
"""

import os

import jax
import jax.numpy as jnp


SHAPES = {"scale": (4,), "shift": (4,)}


def restore(only_shapes=False):
    """The state to start from, compiled once: who wants the shapes alone has them before that."""
    if only_shapes:
        return SHAPES
    make = jax.jit(lambda key: {name: jax.random.normal(key, SHAPES[name]) for name in SHAPES})
    return make(jax.random.key(0))


def prepare():
    shapes = restore(only_shapes=True)
    state = restore()
    assert {name: value.shape for name, value in state.items()} == shapes
    return state


def profile(state, repeats):
    step = jax.jit(lambda x: jnp.tanh(x * state["scale"] + state["shift"]))
    x = jnp.ones_like(state["scale"])
    for _ in range(repeats):
        x = step(x)
    assert step._cache_size() == 1
    return x


if __name__ == "__main__":
    state = prepare()
    if os.environ.get("PROFILE_LONG"):
        result = profile(state, 500)
    else:
        result = profile(state, 5)
    assert result.shape == (4,)
