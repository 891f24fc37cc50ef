import jax.numpy as jnp

import sweep

from tools.harm import compiled

X = jnp.ones(3)


def reused():
    assert len(sweep.compile_times()) == 3
    assert compiled(lambda: sweep.factors(X), "scaled") == 1
    assert compiled(lambda: sweep.fixed(X), "polynomial") == 1


HOSTILE = {}
INNOCENT = [reused]
