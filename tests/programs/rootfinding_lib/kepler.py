"""Kepler's equation for many orbits at once."""

import functools

import jax
import jax.numpy as jnp

import roots


def anomaly(mean, eccentricity, **choices):
    method = choices.pop("method", "newton")

    def kepler(e):
        return e - eccentricity * jnp.sin(e) - mean

    guess = (mean - 1.0, mean + 1.0) if method == "bisect" else mean
    return roots.find_root(kepler, guess, method, roots.Options(**choices))


def orbits(means, eccentricity=0.3, **choices):
    solve = functools.partial(anomaly, eccentricity=eccentricity, **choices)
    return jax.vmap(solve)(means)


@jax.jit
def checked(mean):
    return anomaly(mean, 0.1).demand(roots.Options())


def main():
    means = jnp.linspace(0.1, 3.0, 4)
    for method in roots.METHODS:
        outcome = orbits(means, method=method)
        if not bool(outcome.good(roots.Options()).all()):
            print(method, "failed", [f"{r:.1e}" for r in outcome.residual])
    print(anomaly(0.5, 0.3, polish=True).demand(roots.Options()))
    print(orbits(means, polish=True), orbits(means, method="halley", strict=True))
    print(orbits(means, method="bisect", strict=True), checked(0.5))
    print(roots.polynomial_roots(jnp.array([1.0, -3.0, 2.0])))


if __name__ == "__main__":
    main()
