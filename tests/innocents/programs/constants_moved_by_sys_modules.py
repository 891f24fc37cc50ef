"""Innocent, though it looks like JIT106.

What makes it right: setattr on a module.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

MASSES = np.array([1.0, 12.0, 16.0])
CHARGES = np.array([0.4, -0.1, -0.8])


def to_device(module):
    for name, value in list(vars(module).items()):
        if isinstance(value, np.ndarray):
            setattr(module, name, jnp.asarray(value))


to_device(sys.modules[__name__])


@jax.jit
def energy(species, r):
    return (CHARGES[species] * MASSES[species] / r).sum()


print(energy(jnp.array([0, 2]), jnp.ones(2)))
