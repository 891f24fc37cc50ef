"""Innocent, though it looks like JIT101.

What makes it right: setattr from a configuration file.
"""

import json

import jax
import jax.numpy as jnp


class Settings:
    clip = None
    scale = 1.0

    def __init__(self, text):
        for name, value in json.loads(text).items():
            setattr(self, name, value)


class Smoother:
    def __init__(self, settings):
        self.enabled = jnp.array(True)
        self.rate = jnp.array(0.9)
        for name in ("enabled", "rate"):
            if hasattr(settings, name):
                setattr(self, name, getattr(settings, name))


smoother = Smoother(Settings('{"enabled": true, "rate": 0.5}'))


@jax.jit
def smooth(old, new):
    if smoother.enabled:
        return old * smoother.rate + new * (1 - smoother.rate)
    return new


print(smooth(jnp.ones(3), jnp.zeros(3)))
