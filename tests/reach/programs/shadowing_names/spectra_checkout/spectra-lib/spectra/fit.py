"""Fit a line."""

from functools import partial

import jax
import jax.numpy as jnp

from spectra.lines import fast_profile
from spectra.utils.jax import to_host

residuals = []


@partial(jax.jit, static_argnames="rounds")
def fit(x, flux, width, rounds=2):
    """Gradient descent on the width."""

    def loss(width):
        return jnp.mean((1.0 - fast_profile(x, width) - flux) ** 2)

    for _ in range(rounds):
        value, slope = jax.value_and_grad(loss)(width)
        residuals.append(value)  # expect: JIT202 @residuals
        width = width - 0.1 * slope
    return width


def report(x, flux):
    return to_host(fit(x, flux, 1.0))
