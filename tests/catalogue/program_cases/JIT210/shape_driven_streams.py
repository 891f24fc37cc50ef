import jax.numpy as jnp

import streams

from tools.harm import differs_from_eager, same

HOSTILE = {}
SILENT = {
    "draw": lambda: same(streams.noisy(jnp.ones(3)), streams.noisy(jnp.ones(3))),
    "angle": lambda: differs_from_eager(streams.augmented),
}
