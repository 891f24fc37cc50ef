"""Settings and the state of a walker."""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Settings:
    step: float = 0.1
    target: float = 0.574
    burn_in: int = 20
    draws: int = 30
    preconditioned: bool = False
    ladder: tuple = (1.0, 0.5, 0.25)


class Walker(NamedTuple):
    position: jax.Array
    step: jax.Array
    key: jax.Array


def log_banana(z):
    return -0.5 * (z[0] ** 2 + (z[1] - z[0] ** 2) ** 2)


def start(settings: Settings, dim: int = 2, seed: int = 0) -> Walker:
    if settings.step <= 0 or dim < 2:
        raise ValueError("bad settings")
    return Walker(jnp.zeros(dim), jnp.asarray(settings.step), jax.random.key(seed))
