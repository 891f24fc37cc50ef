"""A unit system that must be chosen first; innocent, for all guards ask the host."""

import contextlib

import jax
import jax.numpy as jnp

_systems = []
_CONSTANTS = {}


def define(name, **constants):
    _CONSTANTS[name] = constants


def system():
    if not _systems:
        raise RuntimeError("choose a unit system")
    return _CONSTANTS[_systems[-1]]


@contextlib.contextmanager
def units(name):
    if name not in _CONSTANTS:
        raise KeyError(name)
    _systems.append(name)
    try:
        yield
    finally:
        _systems.pop()


def kinetic(mass, velocity):
    scale = system().get("energy", 1.0)
    if scale <= 0:
        raise ValueError("the scale of energy must be positive")
    return 0.5 * scale * mass * velocity**2


def total(*terms):
    if not terms:
        raise ValueError("nothing to add")
    return sum(terms)


@jax.jit
def energy(mass, velocity):
    return total(kinetic(mass, velocity), mass * system()["gravity"])


def report(mass, velocity):
    define("si", energy=1.0, gravity=9.81)
    with units("si"):
        value = energy(mass, velocity)
    return "moving" if value > 10.0 else "at rest"


if __name__ == "__main__":
    print(report(jnp.float32(2.0), 3.0))
