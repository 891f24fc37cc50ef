import jax.numpy as jnp

import epochs

from tools.harm import compiled

X = jnp.arange(3.0)

HOSTILE = {}
SILENT = {
    "scan": lambda: compiled(lambda: epochs.epochs(X), "scan") == 3,
    "while": lambda: compiled(lambda: epochs.roots([2.0, 3.0, 5.0]), "while") == 3,
    "cond": lambda: compiled(lambda: epochs.play([1, -1, 1]), "cond") == 3,
    "map": lambda: compiled(lambda: epochs.mapped(X, [1.0, 2.0]), "scan") == 2,
    "switch": lambda: compiled(lambda: epochs.choose([0, 1, 2], X), "cond") == 3,
}
