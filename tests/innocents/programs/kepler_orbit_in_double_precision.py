"""Looks like a fault of JIT403.

The TOML settings turn jax_enable_x64 on through a loop over jax.config.update before any array is made.
"""
import tomllib

import jax
import jax.numpy as jnp
import numpy as np

SETTINGS = """
[jax]
enable_x64 = true
debug_nans = false

[orbit]
eccentricity = 0.3
steps = 2000
"""


def apply_settings(text):
    settings = tomllib.loads(text)
    for name, value in settings["jax"].items():
        jax.config.update("jax_" + name, value)
    return settings["orbit"]


def acceleration(position):
    return -position / jnp.linalg.norm(position) ** 3


@jax.jit
def leapfrog(position, velocity, times):
    step = times[1] - times[0]

    def advance(state, _):
        x, v = state
        v = v + 0.5 * step * acceleration(x)
        x = x + step * v
        v = v + 0.5 * step * acceleration(x)
        return (x, v), 0.5 * v @ v - 1.0 / jnp.linalg.norm(x)

    return jax.lax.scan(advance, (position, velocity), times)


if __name__ == "__main__":
    orbit = apply_settings(SETTINGS)
    e = orbit["eccentricity"]
    times = jnp.linspace(0.0, 2 * np.pi, orbit["steps"], dtype=jnp.float64)
    position = jnp.array([1.0 - e, 0.0], dtype=jnp.float64)
    velocity = jnp.array([0.0, np.sqrt((1 + e) / (1 - e))], dtype="float64")
    (x, v), energy = leapfrog(position, velocity, times)
    assert x.dtype == v.dtype == energy.dtype == np.float64
    assert abs(float(energy[-1]) + 0.5) < 1e-6
    assert np.ptp(np.asarray(energy)) < 1e-5
    assert 0.0 < float(jnp.abs(x.astype(jnp.float32).astype(jnp.float64) - x).max())
    print("energy at the end", float(energy[-1]))
