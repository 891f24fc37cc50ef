"""The table of filters by name."""

import functools

import jax

FILTERS = {}


def image_filter(fn):
    """Compile a filter and enter it into the table."""
    compiled = jax.jit(fn)

    @functools.wraps(fn)
    def run(image, *args):
        return compiled(image, *args)

    FILTERS[fn.__name__] = run
    return run
