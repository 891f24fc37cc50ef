"""Static parameters that look like arrays or dictionaries and are neither."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from flax.core import FrozenDict


class Spec(NamedTuple):
    shape: tuple
    dtype: np.dtype

    @property
    def size(self):
        return int(np.prod(self.shape))


@partial(jax.jit, static_argnums=(1,))
def fill(value, spec):
    return jnp.full(spec.shape, value, spec.dtype) / spec.size


@partial(jax.jit, static_argnames=("config",))
def scale(x, config):
    return x * config["rate"] + len(config.keys())


@partial(jax.jit, static_argnames=("axes", "shape"))
def reduce(x, axes, shape):
    leading = axes[:1]
    return x.sum(leading).reshape(shape) + axes[-1] * jnp.ones(shape[0])


@partial(jax.jit, static_argnums=(1, 2))
def wave(x, frequency: float, count: int):
    return jnp.sin(frequency * x) * jnp.arange(count)[:, None] + jnp.sqrt(frequency)


@partial(jax.jit, static_argnums=0)
def apply(activation, x, weights: jax.Array):
    return activation(x @ weights)


@partial(jax.jit, static_argnames="struct")
def allocate(struct: jax.ShapeDtypeStruct):
    return jnp.zeros(struct.shape, struct.dtype)


def main():
    x = jnp.ones((2, 3))
    return (
        fill(2.0, Spec((2, 2), np.dtype("float32"))),
        scale(x, config=FrozenDict(rate=0.5)),
        reduce(x, axes=(0, 1), shape=(3, 1)),
        wave(x[0], 2.0, 4),
        apply(jnp.tanh, x, x.T),
        allocate(struct=jax.ShapeDtypeStruct((2,), np.dtype("float32"))),
    )
