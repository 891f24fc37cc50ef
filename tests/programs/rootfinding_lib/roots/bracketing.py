"""Methods that need a sign change."""

import jax.numpy as jnp
from jax import lax

from .report import Outcome


def bisect(function, bracket, options):
    low, high = bracket
    if options.strict:
        bracketed = function(low) < 0 < function(high)  # expect: JIT104 @bracketed
        low = jnp.where(bracketed, low, jnp.nan)

    def turn(state, _):
        low, high = state
        middle = 0.5 * (low + high)
        left = function(low) * function(middle) > 0
        return (jnp.where(left, middle, low), jnp.where(left, high, middle)), None

    (low, high), _ = lax.scan(turn, (low, high), length=options.limit)
    return Outcome(low, function(low), options.limit)
