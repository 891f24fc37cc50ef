import jax
import jax.numpy as jnp

import fit


def precise():
    with jax.enable_x64(True):
        assert fit.fit(jnp.eye(2)).dtype == "float64"


HOSTILE = {}
INNOCENT = [precise]
