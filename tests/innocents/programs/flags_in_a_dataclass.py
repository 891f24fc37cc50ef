"""Looks like a fault of JIT403.

The flags of JAX are fields of a dataclass, whose names are completed when they are applied, x64 among them.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Flags:
    """What a run wants of JAX; the fields are its flags without the prefix."""

    enable_x64: bool = False
    debug_nans: bool = False
    default_matmul_precision: str = "default"

    def apply(self):
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                jax.config.update(f"jax_{field.name}", value)


RUNS = {
    "training": Flags(default_matmul_precision="tensorfloat32"),
    "orbits": Flags(enable_x64=True, debug_nans=True),
}


@jax.jit
def kepler(mean_anomaly, eccentricity):
    """Newton's method, to the last digit."""
    m = mean_anomaly.astype(jnp.float64)

    def improve(_, e):
        return e - (e - eccentricity * jnp.sin(e) - m) / (1 - eccentricity * jnp.cos(e))

    return jax.lax.fori_loop(0, 12, improve, m)


def main(run="orbits"):
    RUNS[run].apply()
    anomalies = jnp.linspace(0.1, 3.0, 5, dtype=jnp.float64)
    return anomalies, kepler(anomalies, 0.3)


if __name__ == "__main__":
    mean, eccentric = main()
    assert mean.dtype == eccentric.dtype == np.float64
    assert np.abs(eccentric - 0.3 * np.sin(eccentric) - mean).max() < 1e-14
