"""A Kalman filter over positions in the plane."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Belief(NamedTuple):
    mean: jax.Array
    cov: jax.Array


def predict(belief, transition, noise):
    mean = transition @ belief.mean
    cov = transition @ belief.cov @ transition.T + noise
    return Belief(mean, cov)


def correct(belief, observation, sensor, noise):
    innovation = observation - sensor @ belief.mean
    spread = sensor @ belief.cov @ sensor.T + noise
    gain = jnp.linalg.solve(spread, sensor @ belief.cov).T
    distance = innovation @ jnp.linalg.solve(spread, innovation)
    if distance > 9.0:  # expect: JIT101 @gate
        return belief
    identity = jnp.eye(belief.mean.shape[0])
    return Belief(belief.mean + gain @ innovation, (identity - gain @ sensor) @ belief.cov)


@jax.jit
def track(belief, observations, transition, sensor, process, noise):
    def advance(state, observation):
        state = predict(state, transition, process)
        state = correct(state, observation, sensor, noise)
        return state, state.mean

    return jax.lax.scan(advance, belief, observations)
