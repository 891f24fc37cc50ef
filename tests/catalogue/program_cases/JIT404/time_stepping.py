import jax.numpy as jnp

import plan
import scheme

from tools.harm import equations

HOSTILE = {}
SILENT = {
    "steps": lambda: equations(scheme.make_solver(scheme.Grid()), jnp.ones(16)) > 256,
    "horizon": lambda: equations(plan.value, jnp.eye(2)) > 3 * 200,
}
