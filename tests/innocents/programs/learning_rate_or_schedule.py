"""Looks like a fault of JIT112.

The rate is a static (pytree_node=False) field of the flax.struct state, so it is still a float or a callable inside the trace.
"""
from typing import Callable, Union

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import struct


class FitState(struct.PyTreeNode):
    step: jax.Array
    weights: jax.Array
    rate: Union[float, Callable] = struct.field(pytree_node=False)

    @classmethod
    def create(cls, size, rate):
        return cls(step=jnp.zeros((), jnp.int32), weights=jnp.zeros(size), rate=rate)


def current_rate(state):
    if isinstance(state.rate, float):
        return state.rate
    return state.rate(state.step)


def loss(weights, features, targets):
    return jnp.mean((features @ weights - targets) ** 2)


@jax.jit
def fit_step(state, features, targets):
    slope = jax.grad(loss)(state.weights, features, targets)
    rate = current_rate(state)
    return state.replace(step=state.step + 1, weights=state.weights - rate * slope)


def fit(state, features, targets, steps):
    for _ in range(steps):
        state = fit_step(state, features, targets)
    return state


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    features = jnp.asarray(rng.normal(size=(64, 3)), jnp.float32)
    truth = jnp.array([1.0, -2.0, 0.5])
    targets = features @ truth
    decay = optax.exponential_decay(0.3, transition_steps=50, decay_rate=0.5)
    for rate in (0.2, decay):
        state = fit(FitState.create(3, rate), features, targets, 80)
        np.testing.assert_allclose(state.weights, truth, atol=1e-3)
        assert int(state.step) == 80
    assert fit_step._cache_size() == 2
    print("weights", state.weights)
