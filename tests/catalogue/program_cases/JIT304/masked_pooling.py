import jax.numpy as jnp

import pooling

from tools.harm import raises

X = jnp.ones((3, 3))

HOSTILE = {}
SILENT = {
    "annotated": lambda: raises(lambda: pooling.masked_mean(X, X > 0), "ValueError"),
    "sliced": lambda: raises(lambda: pooling.pool(X, kernel=jnp.ones(3)), "ValueError"),
    "methods": lambda: raises(lambda: pooling.project(X, X, 3), "ValueError"),
    "theta": lambda: raises(lambda: pooling.Likelihood(2.0).log_prob(X, X), "ValueError"),
}
