"""Energies of a rope."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from rope_types import Array, Energies, Knot, Named, Pair, Rope


def stretch(pair: Pair) -> Array:
    """Of a spring that is given by its length and stiffness."""
    length, stiffness = pair
    return length * stiffness if length > 1.0 else jnp.zeros(())  # expect: JIT101 @slack


@jax.jit
def spring_energy(pair: Pair) -> Array:
    return 0.5 * stretch(pair) ** 2


@jax.jit
def load(rope: Rope) -> Array:
    """The weight of all knots."""
    return sum(knot.weight() for knot in rope)


@jax.jit
def lowest(rope: Rope) -> Array:
    """The knot that hangs lowest."""
    heights = [knot.position[1] for knot in rope]
    return min(heights)  # expect: JIT110 @lowest


@jax.jit
def anchors(named: Named) -> Array:
    """Where the ends are, as pixels."""
    pixels = {name: int(knot.position[0]) for name, knot in named.items()}  # expect: JIT105 @pixels
    return jnp.array(list(pixels.values()))


@jax.jit
def dominant(energies: Energies) -> Array:
    """The largest share."""
    total = sum(energies.values())
    for name in energies:
        if energies[name] > 0.5 * total:  # expect: JIT101 @share
            return energies[name]
    return total


def hang(count: int) -> list[Knot]:
    return [Knot(jnp.array([float(i), -float(i)]), jnp.float32(1.0)) for i in range(count)]
