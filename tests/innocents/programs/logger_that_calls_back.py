"""Innocent, though it looks like JIT206.

What makes it right: stand-in for a library.
"""

import sys
import types

import jax
import jax.numpy as jnp

tracker = types.ModuleType("tracker")
tracker.log = lambda values: jax.debug.callback(lambda v: None, values)
sys.modules["wandb"] = tracker

import wandb  # noqa: E402


@jax.jit
def train_step(w, x):
    loss = jnp.mean((w * x) ** 2)
    wandb.log({"loss": loss})
    return loss


print(train_step(jnp.ones(2), jnp.ones(2)))
