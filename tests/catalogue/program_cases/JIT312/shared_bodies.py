import jax.numpy as jnp

import shared

from tools.harm import compiled

ROWS = jnp.arange(9.0).reshape(3, 3)


def once():
    assert compiled(lambda: shared.running_sums(ROWS), "scan") == 1
    assert compiled(lambda: shared.simulated(ROWS), "simulate") == 1
    assert compiled(lambda: shared.made_before(ROWS), "scan") == 1
    assert compiled(lambda: shared.doubled(ROWS), "cond") == 1
    assert compiled(lambda: shared.vectorised(ROWS), "<lambda>") == 0
    assert compiled(lambda: shared.reduced(ROWS), "<lambda>") == 0


HOSTILE = {}
INNOCENT = [once]
