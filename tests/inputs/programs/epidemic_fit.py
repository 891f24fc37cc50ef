"""A compartment model fitted to counts of cases."""

import jax
import jax.numpy as jnp


def flow(theta, state):
    s, i, r = state
    infected = theta["beta"] * s * i / (s + i + r)
    recovered = theta["gamma"] * i
    return s - infected, i + infected - recovered, r + recovered


def simulate(theta, start, days):
    state, counts = start, []
    for _ in range(days):
        state = flow(theta, state)
        counts.append(state[1])
    return jnp.stack(counts)


def misfit(theta, start, observed):
    curve = simulate(theta, start, observed.shape[0])
    peak = curve.max()
    if peak > start[0]:  # expect: JIT101 @peak
        return jnp.inf * peak
    return jnp.sum((jnp.log1p(curve) - jnp.log1p(observed)) ** 2)


fit = jax.jit(jax.grad(misfit))
