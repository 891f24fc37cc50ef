import jax.numpy as jnp

import solver

from tools.harm import differs_from_eager

X = jnp.array([3.0, 5.0])

HOSTILE = {}
SILENT = {
    "sweeps": lambda: differs_from_eager(lambda: solver.two_passes(X)),
    "damping": lambda: differs_from_eager(lambda: solver.relaxed(X)),
}
