"""Names for what is passed around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Union

import jax
import jax.numpy as jnp

Array = jax.Array
Pair = tuple[Array, float]
Bounds = tuple[float, float]
Energies = dict[str, Array]
Field = Callable[[Array], Array]
Numeric = Union[Array, float]


@jax.tree_util.register_dataclass
@dataclass
class Knot:
    """A point of the rope."""

    position: Array
    mass: Array

    def weight(self, gravity: Numeric = 9.81) -> Array:
        if self.mass == 0.0:  # expect: JIT101 @massless
            return jnp.zeros(())
        return self.mass * gravity


Rope = Sequence[Knot]
Named = dict[str, Knot]
