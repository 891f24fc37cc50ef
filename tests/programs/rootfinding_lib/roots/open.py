"""Methods that need derivatives."""

import jax
import jax.numpy as jnp

from . import report
from .options import Options


def newton(function, guess, options: Options):
    slope = jax.grad(function)

    def turn(_, x):
        step = function(x) / slope(x)
        if options.damping is not None:
            step = step * options.damping
        return x - step

    x = jax.lax.fori_loop(0, options.limit, turn, guess)
    if options.polish:
        x = polish(function, slope, x, options.tolerance)
    return report.Outcome(x, function(x), options.limit)


def polish(function, slope, x, tolerance):
    """A few more steps while they still help."""
    while (residual := function(x)) ** 2 > tolerance**2:  # expect: JIT102 @polish
        x = x - residual / slope(x)
    return x


def halley(function, guess, options):
    first, second = jax.grad(function), jax.grad(jax.grad(function))

    def unfinished(state):
        turns, x = state
        return jnp.logical_and(turns < options.limit, jnp.abs(function(x)) > options.tolerance)

    def turn(state):
        turns, x = state
        f, g, h = function(x), first(x), second(x)
        return turns + 1, x - 2 * f * g / (2 * g**2 - f * h)

    turns, x = jax.lax.while_loop(unfinished, turn, (0, guess))
    if options.strict:
        label = "%d turns" % turns  # expect: JIT105 @turns
        raise_if_slow(label, options.limit)
    return report.Outcome(x, function(x), turns)


def raise_if_slow(label, limit):
    if label.startswith(str(limit)):
        raise ArithmeticError(label)
