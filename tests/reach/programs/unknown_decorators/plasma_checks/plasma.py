"""Charged particles, with decorators of all kinds on the functions."""

import functools
import typing

import chex
import jax
import jax.numpy as jnp
import numpy as np

from checks import Config, Float, clocked, labelled, typechecked

try:
    from line_profiler import profile
except ImportError:

    def profile(function):
        return function


@jax.named_scope("debye")
def debye_length(temperature, density):
    if density <= 0:  # expect: JIT101 @density
        raise ValueError("a density is positive")
    return jnp.sqrt(temperature / density)


@clocked("collisions")
def collisions(velocities):
    fast = velocities[jnp.abs(velocities) > 1.0]  # expect: JIT109 @fast
    return fast.sum()


@typechecked(config=Config(ranks=True))
def forces(positions: Float["n 3"], charges: Float["n"]):
    distance = positions[:, None] - positions[None]
    square = jnp.sum(distance**2, axis=-1) + jnp.eye(charges.shape[0])
    if square.min() < 1e-9:  # expect: JIT101 @touching
        square = square + 1e-9
    return jnp.sum(charges[None, :, None] * distance / square[..., None] ** 1.5, axis=1)


@np.errstate(divide="ignore")
def temperature(velocities):
    return float(jnp.var(velocities))  # expect: JIT105 @variance


@typing.no_type_check
@profile
def bins(velocities, count):
    edges = jnp.linspace(-2.0, 2.0, count + 1)  # expect: JIT108 @edges
    return jnp.digitize(velocities, edges)


@labelled("field")
@functools.partial(jax.named_call, name="field")
def field(charges, grid):
    potential = np.convolve(charges, grid, mode="same")  # expect: JIT106 @convolve
    return -jnp.gradient(jnp.asarray(potential))


@jax.jit
@chex.assert_max_traces(n=8)
def screened(temperature, density):
    return debye_length(temperature, density)


@jax.jit
def collision_rate(velocities):
    return collisions(velocities)


@jax.jit
def accelerations(positions, charges):
    return forces(positions, charges)


@jax.jit
def heat(velocities):
    return temperature(velocities) * velocities


@jax.jit
def histogram(velocities, count):
    return jnp.bincount(bins(velocities, count), length=8)


@jax.jit
def drive(charges, grid):
    return field(charges, grid)
