import jax.numpy as jnp

import flow

from tools.harm import raises

U = jnp.ones((2, 6))

HOSTILE = {}
SILENT = {
    "second": lambda: raises(lambda: flow.simulate(U), "UnexpectedTracerError"),
    "waves": lambda: raises(lambda: flow.spectrum(U[0]), "UnexpectedTracerError"),
}
