import jax.numpy as jnp

import recursions

from tools.harm import equations

X = jnp.ones(2)

HOSTILE = {}
SILENT = {
    "literal": lambda: equations(recursions.iterate, X) >= 600,
    "constant": lambda: equations(recursions.simulate, (X, X)) >= 1600,
    "static": lambda: equations(recursions.moving, jnp.ones(256), count=256) >= 512,
    "nested": lambda: equations(recursions.pairwise, jnp.ones(150)) >= 4 * 3 * 150,
    "shape": lambda: equations(recursions.evaluate, jnp.ones(200), 0.5) >= 400,
}
