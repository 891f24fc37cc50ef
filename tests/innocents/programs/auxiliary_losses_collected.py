"""Looks like a fault of JIT202.

A context manager entered on an ExitStack within the traced function pushes a fresh list and pops it on exit, and the values leave as outputs.
"""
import contextlib

import jax
import jax.numpy as jnp
import numpy as np

_bags = []


@contextlib.contextmanager
def collecting():
    bag = []
    _bags.append(bag)
    try:
        yield bag
    finally:
        _bags.pop()


def add_loss(value):
    if _bags:
        _bags[-1].append(value)


def gated(weights, x):
    gate = jax.nn.softmax(x @ weights)
    add_loss(jnp.sum(gate.mean(axis=0) ** 2))
    return gate * x


def network(params, x):
    for weights in params:
        x = gated(weights, x)
    return x


@jax.jit
def objective(params, x):
    with contextlib.ExitStack() as stack:
        bag = stack.enter_context(collecting())
        out = network(params, x)
        return jnp.mean(out**2) + 0.01 * sum(bag), jnp.stack(bag)


if __name__ == "__main__":
    rng = np.random.default_rng(3)
    params = list(rng.normal(size=(3, 4, 4)).astype(np.float32))
    x = rng.normal(size=(8, 4)).astype(np.float32)
    with jax.checking_leaks():
        total, parts = objective(params, x)
    assert _bags == [] and parts.shape == (3,)
    slopes, _ = jax.grad(objective, has_aux=True)(params, x)
    assert all(np.isfinite(slope).all() for slope in slopes)
    eager = network(params, x)
    np.testing.assert_allclose(
        total, jnp.mean(eager**2) + 0.01 * parts.sum(), rtol=1e-5
    )
    assert _bags == []
    print("objective", float(total), "parts", parts)
