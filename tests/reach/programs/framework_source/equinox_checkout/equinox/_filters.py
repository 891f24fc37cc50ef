"""Which leaves are arrays."""

import jax
import jax.numpy as jnp
import numpy as np


def is_array(element):
    return isinstance(element, jax.Array)


def is_inexact_array(element):
    if isinstance(element, (np.ndarray, np.generic)):
        return bool(np.issubdtype(element.dtype, np.inexact))
    return is_array(element) and jnp.issubdtype(element.dtype, jnp.inexact)


def filter(pytree, filter_spec, inverse=False, replace=None):
    def keep(leaf):
        return leaf if filter_spec(leaf) != inverse else replace

    return jax.tree.map(keep, pytree)


def partition(pytree, filter_spec):
    return filter(pytree, filter_spec), filter(pytree, filter_spec, inverse=True)


def combine(*pytrees):
    def first(*leaves):
        for leaf in leaves:
            if leaf is not None:
                return leaf
        return None

    return jax.tree.map(first, *pytrees, is_leaf=lambda leaf: leaf is None)
