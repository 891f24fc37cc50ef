"""Small things around JAX that the project needs everywhere."""

import jax


def device_count():
    return jax.local_device_count()


def to_host(tree):
    return jax.device_get(tree)


def jit(function):
    """Compile unless someone debugs."""
    return jax.jit(function)
