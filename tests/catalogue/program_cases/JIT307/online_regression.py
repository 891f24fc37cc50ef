import jax.numpy as jnp
import numpy as np

import stream

from tools.harm import compiled

SAMPLES = [(jnp.ones(2) * k, jnp.float32(k)) for k in range(3)]
SERIES = jnp.arange(6.0)

HOSTILE = {}
SILENT = {
    "concatenated": lambda: compiled(lambda: stream.observe(SAMPLES), "posterior") == 3,
    "prefix": lambda: compiled(lambda: stream.trends(SERIES), "trend") == 4,
    "stacked": lambda: compiled(lambda: stream.watch(np.ones((3, 2))), "spread") == 3,
}
