"""Looks like a fault of JIT305.

One list of names serves all functions, filtered by their signatures.
"""
import inspect

import jax
import jax.numpy as jnp

SETTINGS = ("window", "mode", "order", "axis")


def compile_all(*functions):
    programs = {}
    for fn in functions:
        options = {"static_argnames": SETTINGS, "donate_argnames": ("scratch",)}
        known = inspect.signature(fn).parameters
        for option, names in options.items():
            options[option] = tuple(filter(known.__contains__, names))
        programs[fn.__name__] = jax.jit(fn, **options)
    return programs


def smooth(x, window, mode="same"):
    return jnp.convolve(x, jnp.ones(window) / window, mode=mode)


def derivative(x, order, axis=0):
    return jnp.diff(x, n=order, axis=axis)


def energy(x):
    return jnp.sum(x**2)


programs = compile_all(smooth, derivative, energy)


if __name__ == "__main__":
    x = jnp.arange(8.0)
    assert programs["smooth"](x, 3, mode="valid").shape == (6,)
    assert jnp.allclose(programs["derivative"](x**2, 2), 2.0)
    assert float(programs["energy"](x)) == 140.0
