import jax.numpy as jnp

import lbfgs

from tools.harm import equations

X = jnp.ones(4)

HOSTILE = {}
SILENT = {
    "iterations": lambda: equations(type(lbfgs.solver).run, lbfgs.solver, X) > 250,
    "comprehension": lambda: equations(lbfgs.smoothed, X) > 100,
}
