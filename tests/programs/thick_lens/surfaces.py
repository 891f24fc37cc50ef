"""Spherical surfaces and the rays that meet them."""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Ray(NamedTuple):
    """Height and angle of a paraxial ray."""

    height: jax.Array
    angle: jax.Array


class Surface:
    """A boundary between two glasses."""

    def __init__(self, radius, before, after):
        self.radius = radius
        self.before = before
        self.after = after
        self.hits = 0

    def power(self):
        return (self.after - self.before) / self.radius

    def bend(self, ray):
        self.hits += 1  # expect: JIT204 @hits
        angle = (self.before * ray.angle - ray.height * self.power()) / self.after
        return Ray(ray.height, angle)

    @jax.jit  # expect: JIT309 @matrix
    def matrix(self):
        """The ABCD matrix."""
        return jnp.array([[1.0, 0.0], [-self.power() / self.after, self.before / self.after]])


def focal_length(surfaces):
    power = math.fsum(surface.power() for surface in surfaces)
    return math.inf if power == 0 else 1 / power


def fresnel(before, after):
    return ((before - after) / (before + after)) ** 2
