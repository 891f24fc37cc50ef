import jax.numpy as jnp

import planner

from tools.harm import compiled

STATE = jnp.ones(2)
CANDIDATES = [jnp.full(3, 0.1 * k) for k in range(3)]

HOSTILE = {}
SILENT = {
    "method": lambda: compiled(lambda: planner.Planner().plan(STATE, CANDIDATES), "scan") == 3,
    "partial": lambda: compiled(lambda: planner.returns(STATE, CANDIDATES), "scan") == 3,
}
