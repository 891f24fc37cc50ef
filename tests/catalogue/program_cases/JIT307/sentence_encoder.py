import jax.numpy as jnp

import encoder

from tools.harm import compiled

TEXT = ["a rose", "is a rose", "is a rose is a rose", "so"]

HOSTILE = {}
SILENT = {
    "sentences": lambda: compiled(lambda: encoder.embed_all(jnp.ones((9, 3)), TEXT), "encode") == 4
}
