import jax.numpy as jnp


def period(axis):
    return 2 * jnp.pi * jnp.sqrt(jnp.asarray(axis, dtype=jnp.float64) ** 3)
