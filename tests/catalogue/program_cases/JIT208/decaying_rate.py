import jax.numpy as jnp

import trainer

from tools.harm import differs_from_eager

X = jnp.array([[1.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
Y = jnp.array([1.0, 2.0, 3.0])

HOSTILE = {}
SILENT = {"rate": lambda: differs_from_eager(lambda: trainer.fit(X, Y))}
