"""Frameworks whose objects are seen through."""

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import nnx


class Gain(nnx.Module):
    def __init__(self):
        self.scale = 1.0
        self.weight = nnx.Param(jnp.ones(2))

    @nnx.jit
    def __call__(self, x):
        return self.scale * self.weight * x


class Field(eqx.Module):
    strength: float

    @eqx.filter_jit
    def force(self, x):
        return self.strength * x


class Logger:
    def __init__(self):
        self.step = 0
        self.total = jax.jit(self._total)

    def _total(self, values):
        return jnp.sum(values)

    def log(self, values):
        self.step += 1
        return self.step, self.total(values)


def main():
    x = jnp.ones(2)
    gain = Gain()
    first = gain(x)
    gain.scale = 3.0
    field = Field(1.0)
    second = field.force(x)
    field = Field(2.0)
    logger = Logger()
    return first, gain(x), second, field.force(x), logger.log(x), logger.log(x)
