"""From time to position on an ellipse."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


def residual(eccentric, mean, eccentricity):
    return eccentric - eccentricity * jnp.sin(eccentric) - mean


@jax.jit
def eccentric_anomaly(mean, eccentricity, method):
    """Solve Kepler's equation."""
    if method == "series":
        return mean + eccentricity * jnp.sin(mean)

    def improve(_, guess):
        slope = 1 - eccentricity * jnp.cos(guess)
        return guess - residual(guess, mean, eccentricity) / slope

    return lax.fori_loop(0, 8, improve, mean)


@partial(jax.jit, static_argnames=("bodies",))
def positions(mean, eccentricity, bodies):
    """Positions of some bodies, stacked."""
    places = []
    for index, _ in enumerate(bodies):
        angle = mean + 0.1 * index
        places.append(jnp.stack([jnp.cos(angle) - eccentricity, jnp.sin(angle)]))
    return jnp.stack(places)


@jax.jit
def clear_transit(track, index):
    """Blank the sample in which the body crosses the sun."""
    track.at[index].set(0.0)  # expect: JIT212 @transit
    return track - track.mean()
