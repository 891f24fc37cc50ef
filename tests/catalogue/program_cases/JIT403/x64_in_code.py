import jax.numpy as jnp

from precise import solver


def precise():
    root, tight = solver.newton(jnp.ones(2))
    assert root.dtype == tight.dtype == "float64" and abs(float(root[0]) ** 2 - 2) < 1e-12


HOSTILE = {}
INNOCENT = [precise]
