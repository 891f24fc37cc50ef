import jax.numpy as jnp

import report

from tools.harm import compiled

X = jnp.ones((3, 4))

HOSTILE = {}
SILENT = {
    "property": lambda: compiled(lambda: report.summary(X, X), "_reconstruct") == 3,
    "pool": lambda: compiled(lambda: report.Study().scores(X), "<lambda>") == 3,
}
