import jax.numpy as jnp
import numpy as np

import tables

from tools.harm import text_size

MEGABYTE = 2**20


def bloated():
    projector = tables.projector
    return text_size(type(projector).project, projector, jnp.ones(1000)) > 4 * MEGABYTE


HOSTILE = {}
SILENT = {
    "embedding": lambda: text_size(tables.lookup, np.arange(3)) > 4 * MEGABYTE,
    "images": lambda: text_size(tables.loss, jnp.ones(784)) > 4 * MEGABYTE,
    "data": lambda: text_size(tables.score, jnp.ones(1000)) > 4 * MEGABYTE,
    "matrix": bloated,
}
