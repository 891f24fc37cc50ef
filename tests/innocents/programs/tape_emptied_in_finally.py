"""Looks like a fault of JIT202.

A decorator empties the list in a finally, still within the trace: nothing of it is left over.
"""

import functools

import jax
import jax.numpy as jnp

_penalties = []


def penalise(value):
    """Layers call this for what they add to the objective."""
    _penalties.append(value)


def with_penalties(objective):
    @functools.wraps(objective)
    def total(*args):
        _penalties.clear()
        try:
            return objective(*args) + sum(_penalties)
        finally:
            _penalties.clear()

    return total


def dense(weights, x):
    penalise(0.01 * jnp.sum(weights**2))
    return jnp.tanh(x @ weights)


def sparse(weights, x):
    penalise(0.1 * jnp.sum(jnp.abs(weights)))
    return x @ weights


@jax.jit
@with_penalties
def objective(params, x, y):
    hidden = dense(params["hidden"], x)
    return jnp.mean((sparse(params["out"], hidden) - y) ** 2)


if __name__ == "__main__":
    params = {"hidden": jnp.eye(3), "out": jnp.ones((3, 1))}
    for rows in (2, 5, 2):
        value = objective(params, jnp.zeros((rows, 3)), jnp.ones((rows, 1)))
        assert jnp.isclose(value, 1.0 + 0.03 + 0.3), value
        assert not _penalties
    grads = jax.grad(objective)(params, jnp.zeros((2, 3)), jnp.ones((2, 1)))
    assert jnp.allclose(grads["hidden"], 0.02 * jnp.eye(3)) and not _penalties
    with jax.checking_leaks():
        objective(params, jnp.zeros((7, 3)), jnp.ones((7, 1)))
