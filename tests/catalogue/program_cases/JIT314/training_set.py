import jax.numpy as jnp

import fit

from tools.harm import text_size

HOSTILE = {}
SILENT = {
    "rows": lambda: text_size(fit.step, jnp.zeros(100)) > 8_000_000,
    "kernel": lambda: text_size(fit.smooth, jnp.ones(1500)) > 8_000_000,
}
