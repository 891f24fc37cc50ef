"""A framework of one's own, with frames, modules and a jit that filters; used as it should be."""

import contextlib
import functools

import jax
import jax.numpy as jnp

_scopes = []


class Scope:
    """Parameters of one call."""

    def __init__(self, params, rng=None):
        self.params = params
        self.rng = rng
        self.used = set()

    def param(self, name, init, shape):
        if name in self.used:
            raise NameError(f"{name} is used twice")
        self.used.add(name)
        if self.rng is not None and name not in self.params:
            self.rng, key = jax.random.split(self.rng)
            self.params[name] = init(key, shape)
        return self.params[name]


@contextlib.contextmanager
def scope(params, rng=None):
    _scopes.append(Scope(params, rng))
    try:
        yield _scopes[-1]
    finally:
        _scopes.pop()


def current():
    if not _scopes:
        raise RuntimeError("no scope")
    return _scopes[-1]


def dense(x, features, name="dense"):
    shape = (x.shape[-1], features)
    return x @ current().param(name, jax.nn.initializers.lecun_normal(), shape)


def transform(fn):
    """``init`` and ``apply`` of a function."""

    @functools.wraps(fn)
    def init(key, *args):
        with scope({}, key) as made:
            fn(*args)
        return made.params

    @functools.wraps(fn)
    def apply(params, *args):
        with scope(dict(params)):
            return fn(*args)

    return init, apply


def filter_jit(fn):
    """Arrays are traced, everything else is static."""

    @functools.partial(jax.jit, static_argnums=1)
    def inner(arrays, static):
        args = [array if flag is None else flag for array, flag in zip(arrays, static)]
        return fn(*args)

    @functools.wraps(fn)
    def call(*args):
        is_tree = [isinstance(arg, (dict, jax.Array)) for arg in args]
        arrays = [arg if flag else None for arg, flag in zip(args, is_tree)]
        static = tuple(None if flag else arg for arg, flag in zip(args, is_tree))
        return inner(arrays, static)

    return call


def norm(tree):
    return jnp.sqrt(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(tree)))
