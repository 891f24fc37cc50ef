"""Exponential moving averages of parameters next to an optax optimiser."""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Ema:
    average: dict
    count: jax.Array
    decay: float = dataclasses.field(metadata={"static": True}, default=0.99)
    debias: bool = dataclasses.field(metadata={"static": True}, default=True)


def init_ema(params, decay=0.99, debias=True):
    if not 0.0 < decay < 1.0:
        raise ValueError(decay)
    zeros = jax.tree.map(jnp.zeros_like, params)
    return Ema(zeros, jnp.zeros((), jnp.int32), decay, debias)


def advance(ema: Ema, params) -> Ema:
    decay = ema.decay if ema.decay < 0.999 else 0.999
    average = jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, ema.average, params)
    return dataclasses.replace(ema, average=average, count=ema.count + 1)


def read(ema: Ema):
    if not ema.debias:
        return ema.average
    if ema.count == 0:  # expect: JIT101 @count
        return ema.average
    return jax.tree.map(lambda a: a / (1 - ema.decay**ema.count), ema.average)


def read_safe(ema: Ema):
    scale = jnp.maximum(1 - ema.decay**ema.count, 1e-8) if ema.debias else 1.0
    return jax.tree.map(lambda a: a / scale, ema.average)
