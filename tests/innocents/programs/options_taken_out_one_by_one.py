"""Looks like a fault of JIT105, and of JIT106.

Options that are None are taken out of a dict before anybody looks at what is left.
"""

import jax
import numpy as np


def halo_of(x, **options):
    return int(np.ceil(x / options["cellsize"]))


def painted(x, **kwargs):
    options = dict(kwargs)
    for name in list(options):
        if options[name] is None:
            options.pop(name)
    if options:
        return x + halo_of(x, **options)
    return x


@jax.jit
def normalisation(x):
    return painted(x, cellsize=None)


@jax.jit
def padded(x):
    options = {"low": None, "high": None}
    for name in list(options):
        if options[name] is None:
            del options[name]
    if options:
        return float(x)
    return x


@jax.jit
def last_stage(x):
    stages = ["coarse"]
    del stages[0]
    if stages:
        return float(x)
    return x


if __name__ == "__main__":
    assert normalisation(2.0) == 2.0
    assert padded(3.0) == 3.0
    assert last_stage(4.0) == 4.0
