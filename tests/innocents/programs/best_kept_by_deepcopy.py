"""Looks like a fault of JIT310.

`copy.deepcopy` keeps arrays of its own of what is donated.
"""

import copy
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=0)
def sgd(params, grads, rate):
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


class BestKeeper:
    def __init__(self, params):
        self.best = copy.deepcopy(params)
        self.best_loss = float("inf")

    def offer(self, params, loss):
        if loss < self.best_loss:
            self.best, self.best_loss = copy.deepcopy(params), loss


def quadratic(params):
    return jnp.sum((params["w"] - 1.0) ** 2)


def train(params, rates):
    keeper = BestKeeper(params)
    for rate in rates:
        keeper.offer(params, float(quadratic(params)))
        grads = jax.grad(quadratic)(params)
        params = sgd(params, grads, rate)
    moved = jnp.abs(params["w"] - keeper.best["w"]).max()
    return keeper, params, moved


if __name__ == "__main__":
    start = {"w": jnp.zeros(3)}
    keeper, params, moved = train(start, [0.25, 0.25, 1.5, 0.0])
    assert start["w"].is_deleted()
    assert not keeper.best["w"].is_deleted()
    assert jnp.allclose(keeper.best["w"], 0.75) and jnp.allclose(params["w"], 1.5)
    assert abs(float(moved) - 0.75) < 1e-6
