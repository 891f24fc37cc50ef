import jax.numpy as jnp

import fit

from tools.harm import text_size

HOSTILE = {}
SILENT = {
    "bound": lambda: text_size(fit.fit, jnp.ones(400)) > 8_000_000,
    "scan": lambda: text_size(fit.epoch, jnp.ones(64)) > 8_000_000,
}
