"""Looks like a fault of JIT101.

The backend's attributes are set by a setattr loop from a JSON config that names numpy, so the residual that is tested is a NumPy number.
"""
import json

import jax
import jax.numpy as jnp
import numpy as np

CONFIG = '{"backend": "host", "tolerance": 1e-6, "max_sweeps": 400}'
OPERATIONS = ("abs", "max", "concatenate", "asarray")


class Backend:
    def __init__(self, name):
        module = {"host": np, "device": jnp}[name]
        for operation in OPERATIONS:
            setattr(self, operation, getattr(module, operation))
        self.compile = {"host": lambda fn: fn, "device": jax.jit}[name]


def build_relaxer(config):
    xp = Backend(config["backend"])
    tolerance = config["tolerance"]
    limit = config["max_sweeps"]

    @xp.compile
    def relax(pressures):
        sweeps = 0
        while sweeps < limit:
            middle = 0.5 * (pressures[:-2] + pressures[2:])
            updated = xp.concatenate([pressures[:1], middle, pressures[-1:]])
            residual = xp.max(xp.abs(updated - pressures))
            pressures = updated
            sweeps += 1
            if residual < tolerance:
                break
        return pressures, sweeps

    return xp, relax


def main():
    config = json.loads(CONFIG)
    xp, relax = build_relaxer(config)
    start = xp.asarray([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0])
    pressures, sweeps = relax(start)
    return pressures, sweeps


if __name__ == "__main__":
    pressures, sweeps = main()
    assert isinstance(pressures, np.ndarray)
    assert 10 < sweeps < 400, sweeps
    assert np.allclose(pressures, np.linspace(1.0, 2.0, 8), atol=1e-4)
    print("settled after", sweeps, "sweeps")
