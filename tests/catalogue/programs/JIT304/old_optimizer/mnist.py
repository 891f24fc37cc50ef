"""A classifier in the style of the first tutorials."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jax.example_libraries import optimizers

opt_init, opt_update, get_params = optimizers.adam(1e-3)


def loss(params, batch):
    x, y = batch
    return jnp.mean((x @ params - y) ** 2)


@partial(jax.jit, static_argnums=(1,))
def update(i, opt_state, batch):  # expect: JIT304 @state
    grads = jax.grad(loss)(get_params(opt_state), batch)
    return opt_update(i, grads, opt_state)


@partial(jax.jit, static_argnames="targets")
def accuracy(params, x, targets: jnp.DeviceArray):  # expect: JIT304 @old
    return jnp.mean((x @ params > 0) == targets)


def train(batches):
    opt_state = opt_init(jnp.zeros(2))
    for i, batch in enumerate(batches):
        opt_state = update(i, opt_state, batch)
    return get_params(opt_state)
