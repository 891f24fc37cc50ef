"""Looks like a fault of JIT202.

ChainMap.new_child: what is written goes to a new dict in front.

The scope of the module itself is only read.
"""
from collections import ChainMap

import jax
import jax.numpy as jnp

CONSTANTS = ChainMap({"gamma": 1.4}, {"cfl": 0.5, "gas": 287.0})


class Scope:
    """Names of an expression, with those of the surroundings behind."""

    def __init__(self, names=CONSTANTS):
        self.names = names

    def enter(self):
        return self.names.new_child()


GLOBAL = Scope()


@jax.jit
def primitive(density, momentum, energy):
    names = GLOBAL.enter()
    names["velocity"] = momentum / density
    names["kinetic"] = 0.5 * density * names["velocity"] ** 2
    names.update(pressure=(names["gamma"] - 1.0) * (energy - names["kinetic"]))
    names.setdefault("sound", jnp.sqrt(names["gamma"] * names["pressure"] / density))
    return names["velocity"], names["pressure"], names["sound"]


if __name__ == "__main__":
    with jax.checking_leaks():
        first = primitive(jnp.ones(3), jnp.ones(3), jnp.full(3, 3.0))
    second = primitive(jnp.ones(5), jnp.zeros(5), jnp.full(5, 2.5))
    assert set(CONSTANTS) == {"gamma", "cfl", "gas"}
    assert jnp.allclose(first[1], 1.0) and jnp.allclose(second[1], 1.0)
    assert jnp.allclose(second[2], jnp.sqrt(1.4))
