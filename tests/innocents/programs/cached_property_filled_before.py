"""Innocent, though it looks like JIT209.

What makes it right: instance __dict__ filled before.
"""

import functools

import jax
import jax.numpy as jnp


class Geometry:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def distances(self):
        points = jnp.arange(float(self.n))
        return jnp.abs(points[:, None] - points[None, :])


geometry = Geometry(3)
geometry.__dict__["distances"] = jnp.ones((3, 3))


@jax.jit
def energy(q):
    return q @ geometry.distances @ q


print(energy(jnp.ones(3)))
assert not isinstance(geometry.distances, jax.core.Tracer)
