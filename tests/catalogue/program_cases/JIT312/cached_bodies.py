import jax.numpy as jnp

import cached

from tools.harm import compiled

ROWS = jnp.arange(9.0).reshape(3, 3)


def once():
    assert compiled(lambda: cached.powers(ROWS), "scan") == 1
    assert compiled(lambda: cached.integrated(list(ROWS)), "scan") == 1
    assert compiled(lambda: cached.integrated(list(ROWS)), "cond") == 1
    assert compiled(lambda: cached.scored(ROWS), "scan") == 0


HOSTILE = {}
INNOCENT = [once]
