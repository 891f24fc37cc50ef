import jax.numpy as jnp

import typed

from tools.harm import differs_from_eager

X = jnp.arange(3.0)

HOSTILE = {
    "level": lambda: typed.soft_threshold(X, 0.5),
    "power": lambda: typed.raised(X, 2),
}
EXPECT = dict.fromkeys(HOSTILE, ("TracerBoolConversionError",))
SILENT = {"shift": lambda: differs_from_eager(lambda: typed.rolled(X, 1))}
