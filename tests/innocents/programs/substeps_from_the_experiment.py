"""Looks like a fault of JIT404.

The default of 5000 substeps is replaced by the experiment's profile before the step is compiled.
"""
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Settings:
    substeps: int = 5000
    dt: float = 0.1
    damping: float = 0.0


PROFILES = {
    "reference": {},
    "interactive": {"substeps": 4, "damping": 0.1},
}


def settings_for(profile):
    return dataclasses.replace(Settings(), **PROFILES[profile])


class Pendulum:
    def __init__(self, settings=Settings()):
        self.settings = settings

    def step(self, angle, speed):
        small = self.settings.dt / self.settings.substeps
        for _ in range(self.settings.substeps):
            speed = speed - small * (jnp.sin(angle) + self.settings.damping * speed)
            angle = angle + small * speed
        return angle, speed


if __name__ == "__main__":
    pendulum = Pendulum(settings_for("interactive"))
    step = jax.jit(pendulum.step)
    angle, speed = jnp.float32(0.5), jnp.float32(0.0)
    for _ in range(10):
        angle, speed = step(angle, speed)
    assert -0.6 < float(speed) < 0.0 < float(angle) < 0.5
    assert step._cache_size() == 1
    jaxpr = jax.make_jaxpr(pendulum.step)(0.5, 0.0)
    assert len(jaxpr.eqns) < 100
