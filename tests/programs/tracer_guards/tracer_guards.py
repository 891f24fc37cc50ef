"""Root statistics of polynomials, with checks that step aside while JAX traces."""

import logging
import os
import time

import jax
import jax.numpy as jnp
from jax.core import Tracer

logger = logging.getLogger(__name__)
history = []
_checked = 0


def concrete(*values):
    """Whether all values are known."""
    return not any(isinstance(value, Tracer) for value in values)


def note(name, value):
    """Remember known values only."""
    if isinstance(value, Tracer):
        return
    history.append((name, float(value), time.time()))
    logger.info("%s is %s", name, value)


def check_leading(coefficients):
    """Refuse a zero leading coefficient where that can be seen."""
    global _checked
    if not isinstance(coefficients, Tracer):
        _checked += 1
        print("checking", coefficients)
        if float(coefficients[0]) == 0.0:
            raise ValueError("leading coefficient is zero")


def discriminant(coefficients):
    """Of a quadratic."""
    check_leading(coefficients)
    a, b, c = coefficients
    result = b * b - 4 * a * c
    note("discriminant", result)
    return result


def chebyshev_nodes(count):
    """Known while compiling, and printed once on purpose."""
    with jax.ensure_compile_time_eval():
        nodes = jnp.cos(jnp.pi * (jnp.arange(count) + 0.5) / count)
    return nodes


@jax.jit
def mean_square(coefficients):
    """Over the Chebyshev nodes."""
    nodes = chebyshev_nodes(8)
    values = jnp.polyval(coefficients, nodes)
    return jnp.mean(values**2) + 0.0 * discriminant(coefficients)


class Monitor:
    """Keeps the last known value."""

    def __init__(self):
        self.last = None
        self.seed = int(os.environ.get("ROOT_SEED", "0"))

    def watch(self, value):
        """Hands the value through."""
        if concrete(value):
            self.last = value
        return value

    def largest(self, coefficients):
        """Cauchy's bound of the roots."""
        return self.watch(1.0 + jnp.max(jnp.abs(coefficients[1:] / coefficients[0])))


def report(polynomials):
    """Eager, compiled, and compiled code switched off."""
    monitor = Monitor()
    bound = jax.jit(monitor.largest)
    lines = []
    for coefficients in polynomials:
        compiled = mean_square(coefficients)
        eager = discriminant(coefficients)
        lines.append((float(compiled), float(eager), float(bound(coefficients))))
    monitor.largest(polynomials[-1])
    with jax.disable_jit():
        mean_square(polynomials[0])
    return lines, monitor
