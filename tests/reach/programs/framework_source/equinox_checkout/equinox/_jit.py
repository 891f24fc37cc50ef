"""Compile with whatever is no array static."""

import functools

import jax

from equinox._filters import combine, is_array, partition
from equinox._module import Module


@jax.tree_util.register_static
class _Static:
    """Hashable, by structure and leaves; no part of it is traced."""

    def __init__(self, tree):
        leaves, self.structure = jax.tree.flatten(tree)
        self.leaves = tuple(leaves)

    def __hash__(self):
        return hash((self.leaves, self.structure))

    def __eq__(self, other):
        return (self.leaves, self.structure) == (other.leaves, other.structure)

    def tree(self):
        return jax.tree.unflatten(self.structure, self.leaves)


class _JitWrapper:
    def __init__(self, fn):
        functools.update_wrapper(self, fn)
        self._fn = fn

        @functools.partial(jax.jit, static_argnums=0)
        def cached(static, dynamic):
            args, kwargs = combine(dynamic, static.tree())
            out_dynamic, out_static = partition(fn(*args, **kwargs), is_array)
            return out_dynamic, _Static(out_static)

        self._cached = cached

    def __call__(self, *args, **kwargs):
        dynamic, static = partition((args, kwargs), is_array)
        out_dynamic, out_static = self._cached(_Static(static), dynamic)
        return combine(out_dynamic, out_static.tree())

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return functools.partial(self, instance)


def filter_jit(fn=None, *, donate="none"):
    """Like `jax.jit`, for modules."""
    if fn is None:
        return functools.partial(filter_jit, donate=donate)
    return _JitWrapper(fn)
