"""Looks like a fault of JIT101.

What is tested are Python numbers alone: the classes of arrays come out of a function.
"""

import importlib

import jax


def load():
    return importlib.import_module("jax"), importlib.import_module("jax" + ".numpy")


_jax, _jnp = load()


@jax.jit
def relaxation(z, alpha):
    if not isinstance(alpha, (_jax.core.Tracer, _jnp.ndarray)):
        if not 0 < alpha <= 2:
            raise ValueError(alpha)
    return z**alpha


if __name__ == "__main__":
    assert relaxation(3.0, 2.0) == 9.0
