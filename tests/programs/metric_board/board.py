"""Named metrics, collected while a model runs."""

import logging

import jax
import jax.numpy as jnp

logger = logging.getLogger("board")


class Board:
    """The values by name; ``push`` and ``pop`` prefix them with a scope."""

    def __init__(self):
        self.values = {}
        self.scopes = []

    def push(self, scope):
        self.scopes.append(scope)

    def pop(self):
        self.scopes.pop()

    def put(self, name, value):
        self.values["/".join([*self.scopes, name])] = value
        return value


shared = {}


def note(name, value):
    """Keep the newest value of a name for the dashboard."""
    shared[name] = value  # expect: JIT202 @shared
    return value


def note_all(prefix, tree):
    """One entry per leaf."""
    return jax.tree_util.tree_map_with_path(
        lambda path, leaf: note(prefix + jax.tree_util.keystr(path), jnp.abs(leaf).max()), tree
    )


def warn_if_large(name, value, bound=10.0):
    """Log a value beside its bound."""
    logger.warning("%s is %s, bound %g", name, value, bound)  # expect: JIT206 @warning
    return jnp.minimum(value, bound)


def show(values):
    """A table of metrics."""
    for name, value in sorted(values.items()):
        print(f"{name:<12} {value}")  # expect: JIT201 @show
    return len(values)
