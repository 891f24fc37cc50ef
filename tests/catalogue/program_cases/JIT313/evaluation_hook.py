import jax.numpy as jnp

import hooks

from tools.harm import compiled

BATCHES = [jnp.ones((2, 2)), jnp.zeros((2, 2))]

HOSTILE = {}
SILENT = {
    "hook": lambda: compiled(lambda: hooks.evaluate(jnp.eye(2), BATCHES), "<lambda>") == 2,
    "every": lambda: compiled(lambda: hooks.train(BATCHES), "update") == 3,
}
