"""A chain of Hamiltonian Monte Carlo draws."""

from functools import partial

import jax
import jax.numpy as jnp

from integrators import kinetic, leapfrog, leapfrog_loop
from targets import log_normal


def transition(log_density, state, key, step, count, integrate=leapfrog_loop, mass=None):
    noise_key, accept_key = jax.random.split(key)
    momentum = jax.random.normal(noise_key, state.shape)
    start = log_density(state) - kinetic(momentum, mass)
    proposal, momentum = integrate(jax.grad(log_density), state, momentum, step, count)
    ratio = log_density(proposal) - kinetic(momentum, mass) - start
    taken = jnp.log(jax.random.uniform(accept_key)) < ratio
    return jnp.where(taken, proposal, state), taken


@partial(jax.jit, static_argnames=("log_density", "draws"))
def chain(log_density, initial, key, step, count, draws):
    def body(state, draw_key):
        state, taken = transition(log_density, state, draw_key, step, count)
        return state, (state, taken)

    return jax.lax.scan(body, initial, jax.random.split(key, draws))[1]


@partial(jax.jit, static_argnames=("count",))
def one_unrolled(initial, key, step, count=3):
    return transition(log_normal, initial, key, step, count, integrate=leapfrog)


@jax.jit
def one_adaptive(initial, key, step, length):
    """As many steps as it takes to travel a given length."""
    count = jnp.ceil(length / step).astype(jnp.int32)
    return transition(log_normal, initial, key, step, count, integrate=leapfrog)


@jax.jit
def find_step(initial, key):
    """Double the step until fewer than half of the proposals are taken."""
    step = jnp.asarray(0.01)
    drop = 0.0
    while drop < 0.7:  # expect: JIT102 @doubling
        step = step * 2
        momentum = jax.random.normal(key, initial.shape)
        moved, _ = leapfrog_loop(jax.grad(log_normal), initial, momentum, step, 1)
        drop = log_normal(initial) - log_normal(moved)
    return step


@jax.jit
def thin(draws, keep):
    """Every so many-th draw."""
    every = draws.shape[0] // keep
    return draws[jnp.arange(0, draws.shape[0], every)]  # expect: JIT108 @thin
