"""Adam with its state in a NamedTuple."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class AdamState(NamedTuple):
    count: jax.Array
    mu: Any
    nu: Any


def moments(state, grads, b1=0.9, b2=0.999):
    mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
    nu = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g**2, state.nu, grads)
    return AdamState(state.count + 1, mu, nu)


@jax.jit
def update(params, grads, state, rate):
    state = moments(state, grads)
    if state.count < 10:  # expect: JIT101 @warmup
        rate = rate * state.count / 10
    scale = 1.0 - 0.9**state.count
    params = jax.tree.map(
        lambda p, m, v: p - rate * (m / scale) / (jnp.sqrt(v) + 1e-8), params, state.mu, state.nu
    )
    return params, state
