"""The table of compiled objectives."""

import jax

OBJECTIVES = {}
evaluations = 0


def objective(name, **options):
    """Compile a function and register it.

    Args:
      name: its name in the table.
      options: passed on to ``jax.jit``.
    """

    def wrap(function):
        compiled = jax.jit(function, **options)
        OBJECTIVES[name] = compiled
        return compiled

    return wrap


def counting():
    """Note one more evaluation."""
    global evaluations
    evaluations += 1  # expect: JIT203 @evaluations
    return evaluations


def push(trail, value):
    """Add to a trail; returns the value."""
    trail += [value]  # expect: JIT202 @trail
    return value
