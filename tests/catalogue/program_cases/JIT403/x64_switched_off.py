import jax.numpy as jnp

import single

HOSTILE = {}
SILENT = {
    "sum": lambda: single.total(jnp.ones(3)).dtype == "float32",
    "counts": lambda: single.counts(jnp.arange(3)).dtype == "int32",
}
