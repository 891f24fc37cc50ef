"""Looks like a fault of JIT311.

Assigning to the thermostat rebuilds a frozen dataclass by replace, so the static self of the compiled method is a new, unequal object.
"""
import functools
from dataclasses import dataclass, fields, replace

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Law:
    setpoint: float = 20.0
    gain: float = 0.5

    @functools.partial(jax.jit, static_argnums=0)
    def heat(self, temperature):
        return jnp.maximum(self.gain * (self.setpoint - temperature), 0.0)


class Thermostat:
    def __init__(self, law):
        object.__setattr__(self, "law", law)

    def __getattr__(self, name):
        return getattr(self.law, name)

    def __setattr__(self, name, value):
        if name not in {field.name for field in fields(Law)}:
            raise AttributeError(name)
        object.__setattr__(self, "law", replace(self.law, **{name: value}))


def settle(thermostat, temperature, hours):
    for _ in range(hours):
        loss = 0.1 * (temperature - 5.0)
        temperature = temperature + thermostat.heat(temperature) - loss
    return temperature


if __name__ == "__main__":
    thermostat = Thermostat(Law())
    reached = []
    for setpoint in (20.0, 24.0, 16.0, 20.0):
        thermostat.setpoint = setpoint
        room = settle(thermostat, jnp.float32(12.0), 60)
        expected = (thermostat.gain * setpoint + 0.5) / (thermostat.gain + 0.1)
        np.testing.assert_allclose(room, expected, rtol=1e-3)
        reached.append(float(room))
    assert reached[0] == reached[-1]
    assert Law.heat._cache_size() == 3
    thermostat.gain = 1.0
    np.testing.assert_allclose(thermostat.heat(jnp.float32(18.0)), 2.0)
    print("rooms", reached)
