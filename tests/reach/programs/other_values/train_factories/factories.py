"""Training steps are made to measure."""

import jax
import jax.numpy as jnp
import numpy as np


def loss_fn(params, batch):
    x, y = batch
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


def global_norm(tree):
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))


def make_step(rate, clip=None, skip_above=None, ledger=None, use_jit=True):
    """A step of gradient descent.

    Args:
      rate: the learning rate.
      clip: the largest norm of a gradient.
      skip_above: leave batches with a larger loss out.
      ledger: a dictionary for what should be remembered.
      use_jit: switch off to debug.
    """

    def step(params, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        if clip is not None:
            norm = global_norm(grads)
            if norm > clip:  # expect: JIT101 @clip
                grads = jax.tree.map(lambda g: g * clip / norm, grads)
        if skip_above is not None:
            if loss > skip_above:  # expect: JIT101 @skip
                return params, loss
        if ledger is not None:
            ledger["loss"] = loss  # expect: JIT202 @ledger
        return jax.tree.map(lambda p, g: p - rate * g, params, grads), loss

    if use_jit:
        step = jax.jit(step)
    return step


def make_eval(threshold=None, use_jit=False):
    """The share of good predictions."""

    def evaluate(params, batch):
        x, y = batch
        error = jnp.abs(x @ params["w"] + params["b"] - y)
        if threshold is None:
            return jnp.mean(error)
        return np.mean(np.less(error, threshold))  # expect: JIT106 @less

    if use_jit:
        return jax.jit(evaluate)
    return evaluate
