"""Log densities to sample from."""

import jax
import jax.numpy as jnp


def log_gamma(x):
    """Log density of independent gammas, without the constant."""
    return jnp.sum(2.0 * jnp.log(x) - x)


def log_gamma_bounded(x):
    try:  # expect: JIT113 @bounded
        if x.min() <= 0:
            return -jnp.inf
        return log_gamma(x)
    except TypeError:
        return -jnp.sum(x)


def log_normal(x):
    return -0.5 * jnp.sum(x**2)


@jax.jit
def bounded_value(x):
    return log_gamma_bounded(x)
