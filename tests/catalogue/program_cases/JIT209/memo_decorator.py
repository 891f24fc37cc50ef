import jax.numpy as jnp

import filters

from tools.harm import raises
from tools.observation import is_tracer


def store():
    failed = raises(lambda: filters.both(jnp.arange(9.0)), "UnexpectedTracerError")
    return failed and is_tracer(filters.window.cache[(5,)])


HOSTILE = {}
SILENT = {"store": store}
