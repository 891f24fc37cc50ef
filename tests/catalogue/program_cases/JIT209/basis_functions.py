import jax.numpy as jnp

import basis

from tools.harm import raises

X = jnp.array([0.0, 0.5, 1.0, 2.0])


def ridge():
    basis.fit(X, X)
    return raises(basis.condition, "UnexpectedTracerError")


HOSTILE = {}
SILENT = {
    "exponents": lambda: raises(lambda: basis.report(X, X**2), "UnexpectedTracerError"),
    "ridge": ridge,
}
