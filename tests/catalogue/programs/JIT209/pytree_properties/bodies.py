"""Cached properties of pytrees: inside a trace the object is another one."""

import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Bodies:
    mass: jax.Array
    position: jax.Array

    @functools.cached_property
    def centre(self):
        return self.mass @ self.position / self.mass.sum()

    @functools.cached_property
    def spread(self):
        return jnp.linalg.norm(self.position - self.centre, axis=1)


@functools.lru_cache
def shape_of(count, width):
    return (count, width), f"{count}x{width}"


@jax.jit
def inertia(bodies):
    shape, _ = shape_of(*bodies.position.shape)
    return jnp.sum(bodies.mass * bodies.spread**2) + shape[0]


@jax.jit
def recentred(bodies):
    return Bodies(bodies.mass, bodies.position - bodies.centre)


def main():
    bodies = Bodies(jnp.array([1.0, 2.0]), jnp.eye(2))
    moved = recentred(bodies)
    return inertia(bodies), inertia(moved), moved.centre, bodies.centre
