"""Looks like a fault of JIT101.

The transform is looked up by the mode in a parsed config, which says eager.
"""
import configparser

import jax
import jax.numpy as jnp

TEXT = """
[control]
mode = eager
gain = 0.5
"""

TRANSFORMS = {"compiled": jax.jit, "eager": lambda fn: fn}


def load(text):
    parser = configparser.ConfigParser()
    parser.read_string(text)
    return parser["control"]


class Thermostat:
    def __init__(self, section):
        self.gain = section.getfloat("gain")
        self.update = TRANSFORMS[section["mode"]](self._update)

    def _update(self, temperature, target):
        error = target - temperature
        if jnp.abs(error) < 0.1:
            return temperature
        return temperature + self.gain * error


if __name__ == "__main__":
    control = Thermostat(load(TEXT))
    temperature = jnp.float32(10.0)
    for _ in range(12):
        temperature = control.update(temperature, 20.0)
    assert abs(float(temperature) - 20.0) < 0.1
    assert control.update(temperature, 20.0) is temperature
