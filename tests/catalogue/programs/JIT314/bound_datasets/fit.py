"""Data that reach the compiled function through a partial or a scan."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def loss(w, x):
    return jnp.mean((x @ w) ** 2)  # expect: JIT314 @bound


def make_fit(rows=3000, columns=400):
    x = np.random.default_rng(0).normal(size=(rows, columns)).astype(np.float32)
    return jax.jit(partial(loss, x=x))


def make_epoch(count=300):
    batches = jax.random.normal(jax.random.key(0), (count, 64, 64))

    @jax.jit
    def epoch(w):
        def step(w, k):
            return w - 0.1 * batches[k] @ w, None  # expect: JIT314 @scan

        return jax.lax.scan(step, w, jnp.arange(count))[0]

    return epoch


fit = make_fit()
epoch = make_epoch()
