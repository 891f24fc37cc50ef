"""Looks like a fault of JIT102.

A profile in TOML turns compilation off.

Every option of the profile is handed to jax.config; the one of this program
disables jit, so that the loop sees arrays.
"""
import tomllib

import jax
import jax.numpy as jnp

PROFILE = """
[jax]
disable_jit = true
debug_nans = true
"""


def apply_profile(text):
    for option, value in tomllib.loads(text)["jax"].items():
        jax.config.update(f"jax_{option}", value)


apply_profile(PROFILE)


@jax.jit
def kepler(mean_anomaly, eccentricity):
    anomaly = mean_anomaly
    residual = anomaly - eccentricity * jnp.sin(anomaly) - mean_anomaly
    while jnp.abs(residual) > 1e-6:
        slope = 1.0 - eccentricity * jnp.cos(anomaly)
        anomaly = anomaly - residual / slope
        residual = anomaly - eccentricity * jnp.sin(anomaly) - mean_anomaly
    return anomaly


def orbit(count, eccentricity):
    return [kepler(jnp.float32(m), eccentricity) for m in jnp.linspace(0.1, 3.0, count)]


if __name__ == "__main__":
    for mean, anomaly in zip(jnp.linspace(0.1, 3.0, 5), orbit(5, 0.4)):
        assert abs(float(anomaly - 0.4 * jnp.sin(anomaly) - mean)) < 1e-5
