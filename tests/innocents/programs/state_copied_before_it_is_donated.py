"""Looks like a fault of JIT310.

The runner donates a copy of the state unless the caller says that it may be consumed.
"""
import functools

import jax
import jax.numpy as jnp


class Runner:
    """Calls a program that donates its first argument."""

    def __init__(self, fn, keep=True):
        self.program = jax.jit(fn, donate_argnums=0)
        self.prepare = functools.partial(jax.tree.map, jnp.copy) if keep else (lambda tree: tree)
        functools.update_wrapper(self, fn)

    def __call__(self, state, *rest):
        return self.program(self.prepare(state), *rest)


donating = Runner


@donating
def train_step(state, x):
    error = state["weight"] * x - 2.0
    return {"weight": state["weight"] - 0.1 * error * x, "steps": state["steps"] + 1}


def line_search(state, candidates):
    best, smallest = None, float("inf")
    for x in candidates:
        proposal = train_step(state, x)
        distance = float(jnp.abs(proposal["weight"] - 2.0).sum())
        if distance < smallest:
            best, smallest = proposal, distance
    improvement = float(jnp.abs(state["weight"] - 2.0).sum()) - smallest
    return best, improvement


if __name__ == "__main__":
    state = {"weight": jnp.zeros(4), "steps": jnp.int32(0)}
    best, improvement = line_search(state, jnp.array([0.5, 1.0, 2.0]))
    assert improvement > 0.0 and int(best["steps"]) == 1
    assert state["weight"].tolist() == [0.0] * 4
    assert not state["weight"].is_deleted()
