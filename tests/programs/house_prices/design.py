"""From raw columns to a design matrix."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("degrees",))
def expand(columns, degrees=(1,)):
    """Powers of every column, side by side, behind a column of ones."""
    blocks = [jnp.ones((columns.shape[0], 1))]
    for degree in degrees:
        blocks.append(columns**degree)
    return jnp.concatenate(blocks, axis=1)


def quadratic_design(columns):
    return expand(columns, degrees=[1, 2])  # expect: JIT304 @degrees


def cubic_design(columns):
    return expand(columns, degrees=(1, 2, 3))


def predict(weights, design, centre=True):
    offset = design.mean(axis=0) if centre else 0.0
    return (design - offset) @ weights


def make_predictor():
    """A compiled ``predict`` that knows at compile time whether to centre."""
    return jax.jit(predict, static_argnames=("centred",))  # expect: JIT305 @centred


def make_raw_predictor():
    return jax.jit(predict, static_argnames=("centre",))
