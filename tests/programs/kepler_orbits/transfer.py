"""Costs of transfers between circular orbits."""

import jax
import jax.numpy as jnp

from anomaly import eccentric_anomaly, positions


def delta_v(target, start=1.0):
    """Cost of a Hohmann transfer."""
    first = jnp.sqrt(2 * target / (start + target)) - 1
    second = 1 - jnp.sqrt(2 * start / (start + target))
    return jnp.abs(first) + jnp.abs(second) / jnp.sqrt(target)


slope_of = jax.jit(jax.grad(delta_v))


def sensitivity_table(radii):
    table = {}
    for radius in radii:
        table[radius] = float(jax.jit(jax.grad(delta_v))(radius))  # expect: JIT301 @slope
    return table


def sensitivities(radii):
    return {radius: float(slope_of(radius)) for radius in radii}


def period(axis):
    """Period by Kepler's third law."""
    law = jax.jit(lambda a: 2 * jnp.pi * a**1.5)  # expect: JIT303 @law
    return law(axis)


def synodic(inner, outer):
    short = period(inner)
    long = period(outer)
    return 1 / (1 / short - 1 / long)


def almanac(mean):
    planets = ["earth", "mars"]
    return positions(mean, 0.1, bodies=planets)  # expect: JIT304 @planets


def small_almanac(mean):
    return positions(mean, 0.1, bodies=("earth", "mars"))


def true_position(mean, eccentricity):
    angle = eccentric_anomaly(mean, eccentricity, "newton")  # expect: JIT308 @method
    return jnp.cos(angle) - eccentricity


def main():
    for year in range(2):
        print(sensitivities([1.5, 5.2]), year)
    print(sensitivity_table([1.5, 5.2, 9.6]))
    print(synodic(1.0, 1.5), small_almanac(0.3))


if __name__ == "__main__":
    main()
