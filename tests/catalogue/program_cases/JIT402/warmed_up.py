import jax.numpy as jnp

import warmed

from tools.harm import spans

X = jnp.ones(5)


def compiled_before():
    assert spans(warmed.warm, warmed) == [0]
    assert spans(lambda: warmed.ahead_of_time(X), warmed) == [0]
    assert spans(lambda: warmed.skipping_the_first(X), warmed)[1:] == [0] * 6
    assert spans(warmed.sizes, warmed)[::2] == [0, 0]


HOSTILE = {}
INNOCENT = [compiled_before]
