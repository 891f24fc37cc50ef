import jax.numpy as jnp

import mnist

from tools.harm import raises

X = jnp.ones((3, 2))

HOSTILE = {}
SILENT = {
    "state": lambda: raises(lambda: mnist.train([(X, X[:, 0])]), "ValueError"),
    "old": lambda: raises(lambda: mnist.accuracy(X[0], X, X[:, 0] > 0), "ValueError"),
}
