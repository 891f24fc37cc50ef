"""Metropolis-adjusted Langevin sampling with a step size that adapts during burn-in."""

import math
from typing import Callable

import jax
import jax.numpy as jnp

from state import Settings, Walker


def langevin_kernel(log_density: Callable, settings: Settings) -> Callable:
    """Unadjusted Langevin dynamics."""
    inverse = 1.0 / math.sqrt(settings.target)

    def kernel(walker, _):
        key, sub = jax.random.split(walker.key)
        drift = jax.grad(log_density)(walker.position)
        if settings.preconditioned:
            drift = drift * inverse
        width = math.sqrt(2.0 * walker.step)  # expect: JIT105 @width
        noise = width * jax.random.normal(sub, walker.position.shape)
        moved = walker.position + walker.step * drift + noise
        return Walker(moved, walker.step, key), moved

    return kernel


def accept(key, log_ratio, proposal, current):
    threshold = jnp.log(jax.random.uniform(key))
    if threshold < log_ratio:  # expect: JIT101 @accept
        return proposal
    return current


def walk_kernel(log_density, settings):
    """A random walk with a Metropolis correction."""

    def kernel(walker, _):
        key, noise_key, accept_key = jax.random.split(walker.key, 3)
        proposal = walker.position + settings.step * jax.random.normal(
            noise_key, walker.position.shape
        )
        log_ratio = log_density(proposal) - log_density(walker.position)
        position = accept(accept_key, log_ratio, proposal, walker.position)
        return Walker(position, walker.step, key), position

    return kernel


def mala_kernel(log_density, settings):
    """The same correction, with a select in place of a branch."""

    def kernel(walker, _):
        key, noise_key, accept_key = jax.random.split(walker.key, 3)
        value, drift = jax.value_and_grad(log_density)(walker.position)
        noise = jax.random.normal(noise_key, walker.position.shape)
        proposal = walker.position + walker.step * drift + jnp.sqrt(2 * walker.step) * noise
        taken = jnp.log(jax.random.uniform(accept_key)) < log_density(proposal) - value
        position = jnp.where(taken, proposal, walker.position)
        rate = jnp.where(taken, 1 - settings.target, -settings.target)
        return Walker(position, walker.step * jnp.exp(0.05 * rate), key), position

    return kernel
