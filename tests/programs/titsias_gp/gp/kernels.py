"""Covariance functions that combine with operators."""

import math
from dataclasses import dataclass

import jax
import jax.numpy as jnp


def distances(a, b):
    return jnp.sqrt(((a[:, None] - b[None]) ** 2).sum(-1) + 1e-12)


class Kernel:
    def __call__(self, a, b):
        return self.from_distance(distances(a, b))

    def __mul__(self, factor):
        return Scaled(self, factor)


@jax.tree_util.register_pytree_node_class
@dataclass
class SquaredExponential(Kernel):
    scale: float = 1.0

    def from_distance(self, r):
        return jnp.exp(-0.5 * (r / self.scale) ** 2)

    def tree_flatten(self):
        return (self.scale,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


@jax.tree_util.register_pytree_node_class
@dataclass
class Matern(Kernel):
    """Half-integer smoothness; the order is structure, the scale is a leaf."""

    scale: float = 1.0
    order: int = 1

    def from_distance(self, r):
        r = math.sqrt(2 * self.order + 1) * r / self.scale
        if self.order == 0:
            return jnp.exp(-r)
        if self.order == 1:
            return (1 + r) * jnp.exp(-r)
        raise ValueError("order must be 0 or 1")

    def log_prior(self):
        return -math.log(self.scale) ** 2  # expect: JIT105 @prior

    def tree_flatten(self):
        return (self.scale,), self.order

    @classmethod
    def tree_unflatten(cls, order, children):
        return cls(*children, order)


@jax.tree_util.register_pytree_node_class
class Scaled(Kernel):
    def __init__(self, inner, factor):
        self.inner = inner
        self.factor = factor

    def from_distance(self, r):
        return self.factor * self.inner.from_distance(r)

    def clipped(self):
        """The same kernel with a factor that is not negative."""
        return Scaled(self.inner, self.factor if self.factor > 0 else 0.0)  # expect: JIT101 @factor

    def tree_flatten(self):
        return (self.inner, self.factor), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)
