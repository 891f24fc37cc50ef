"""Looks like a fault of JIT110.

A star import puts the functions of jax.numpy in place of the builtins.

`max`, `min`, `any` and `all` are those of jax.numpy in this module, as in a
notebook that was turned into a script.
"""
import jax
from jax.numpy import *


@jax.jit
def normalise(spectrum):
    top, bottom = max(spectrum), min(spectrum)
    return (spectrum - bottom) / (top - bottom)


@jax.jit
def quality(spectrum):
    scaled = normalise(spectrum)
    saturated = any(scaled > 0.999)
    flat = all(abs(scaled - mean(scaled)) < 0.1)
    return where(saturated & ~flat, sum(scaled), 0.0)


if __name__ == "__main__":
    spectrum = array([1.0, 2.0, 3.0, 5.0])
    assert allclose(normalise(spectrum), array([0.0, 0.25, 0.5, 1.0]))
    assert isclose(quality(spectrum), 1.75)
    assert quality(2.0 * spectrum).shape == ()
