"""My notes while working through the JAX tutorials, one function per page of the notebook."""

from functools import partial

import jax
import jax.numpy as jnp

seen_temperatures = []


def to_fahrenheit(celsius):
    seen_temperatures.append(celsius)  # expect: JIT202 @kept
    return celsius * 9.0 / 5.0 + 32.0


def feels_like(celsius, wind):
    print("inputs:", celsius, wind)  # expect: JIT201 @shown
    chill = jnp.power(wind, 0.16)
    return 13.12 + 0.6215 * celsius - 11.37 * chill + 0.3965 * celsius * chill


def look_at_jaxprs():
    print(jax.make_jaxpr(to_fahrenheit)(21.5))
    print(jax.make_jaxpr(feels_like)(3.0, 20.0))


def counting_version(fn):
    """Wrap ``fn`` in jit and report how often Python ran its body."""
    runs = 0

    @jax.jit
    def counted(*args):
        nonlocal runs
        runs += 1  # expect: JIT203 @runs
        return fn(*args)

    return counted, lambda: runs


def shrink(value, factor=0.5):
    return value * factor


def halve_until_small_partial(value):
    while value > 1.0:
        value = jax.jit(partial(shrink, factor=0.5))(value)  # expect: JIT301 @partial
    return value


def halve_until_small_lambda(value):
    while value > 1.0:
        smaller = jax.jit(lambda v: shrink(v))  # expect: JIT301 @anonymous
        value = smaller(value)
    return value


def halve_until_small_plain(value):
    while value > 1.0:
        value = jax.jit(shrink)(value)
    return value


def halve_until_small_outside(value):
    smaller = jax.jit(partial(shrink, factor=0.5))
    while value > 1.0:
        value = smaller(value)
    return value


@jax.jit
def feels_like_quietly(celsius, wind):
    jax.debug.print("inputs: {c} {w}", c=celsius, w=wind)
    parts = []
    parts.append(celsius * 0.5)
    parts.append(wind * 0.25)
    return jnp.stack(parts).sum()


if __name__ == "__main__":
    look_at_jaxprs()
    counted, runs = counting_version(jnp.tanh)
    for k in range(3):
        counted(jnp.float32(k))
    print("Python ran the body", runs(), "times")
    print(halve_until_small_plain(64.0), halve_until_small_outside(64.0))
