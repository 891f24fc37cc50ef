"""Run a scheme."""

import jax.numpy as jnp

import labs.fluids.schemes as schemes
from labs.fluids import cells


def run(scheme, steps=2):
    field = jnp.array([0.0, 1.0, 4.0])
    for _ in range(steps):
        field = scheme(field, 0.1)
    return field


if __name__ == "__main__":
    print(run(schemes.upwind), run(schemes.minmod), cells.flux(jnp.arange(3.0)))
