"""The project's decorators around jax.jit."""

import functools
import logging
import os

import jax

logger = logging.getLogger(__name__)
CALLS = {}
DEBUG = os.environ.get("SEISMIC_DEBUG") == "1"


def accelerated(*static):
    """Compile, with the named arguments static; calls are counted outside the trace."""

    def decorate(fn):
        compiled = fn if DEBUG else jax.jit(fn, static_argnames=static)

        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            CALLS[fn.__name__] = CALLS.get(fn.__name__, 0) + 1
            wrapper.calls += 1
            logger.debug("%s called %d times", fn.__name__, wrapper.calls)
            return compiled(*args, **kwargs)

        wrapper.calls = 0
        wrapper.uncompiled = fn
        return wrapper

    return decorate


class lazy_jit:
    """Compile a function when it is first called."""

    def __init__(self, fn):
        self.fn = fn
        self.compiled = None

    def __call__(self, *args):
        if self.compiled is None:
            self.compiled = jax.jit(self.fn)
        return self.compiled(*args)
