import jax
import jax.numpy as jnp

import layers
import train

from tools.harm import same

X = jnp.ones((4, 6))
masked = jax.jit(layers.dropout)

HOSTILE = {}
SILENT = {
    "dropout": lambda: same(masked(X), masked(X)) and not same(masked(X), X),
    "augment": lambda: same(train.augment(X), train.augment(X)),
}
INNOCENT = [train.main]
