"""Integrators for Hamiltonian dynamics."""

import jax
import jax.numpy as jnp


def leapfrog(grad_fn, position, momentum, step, count):
    """`count` leapfrog steps, written out."""
    for _ in range(count):  # expect: JIT107 @count
        momentum = momentum + 0.5 * step * grad_fn(position)
        position = position + step * momentum
        momentum = momentum + 0.5 * step * grad_fn(position)
    return position, momentum


def leapfrog_loop(grad_fn, position, momentum, step, count):
    def body(_, state):
        position, momentum = state
        momentum = momentum + 0.5 * step * grad_fn(position)
        position = position + step * momentum
        return position, momentum + 0.5 * step * grad_fn(position)

    return jax.lax.fori_loop(0, count, body, (position, momentum))


def kinetic(momentum, mass=None):
    if mass is None:
        return 0.5 * jnp.sum(momentum**2)
    if mass.ndim == 2:
        return 0.5 * momentum @ mass @ momentum
    return 0.5 * jnp.sum(mass * momentum**2)
