import jax.numpy as jnp

import guarded

X = jnp.ones(3)

HOSTILE = {
    "relu": lambda: guarded.relu(1.0),
    "clipped": lambda: guarded.clipped(X, 0.5),
}
EXPECT = dict.fromkeys(HOSTILE, ("TracerBoolConversionError",))
SILENT = {"mean": lambda: guarded.mean_or_zero(X) == 0.0}
