import jax.numpy as jnp

import context


def precise():
    assert context.refine(jnp.eye(2), jnp.ones(2)).dtype == "float64"


HOSTILE = {}
INNOCENT = [precise]
