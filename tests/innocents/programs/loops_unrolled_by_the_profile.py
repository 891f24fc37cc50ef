"""Looks like a fault of JIT107.

The profile of the machine picks the loop: this one is a loop of Python, which counts with integers.
"""

import json

import jax
import jax.numpy as jnp

PROFILE = json.loads('{"name": "workstation", "unroll": "full"}')


class DeviceLoops:
    def repeat(self, count, body, carry):
        return jax.lax.fori_loop(0, count, body, carry)


class UnrolledLoops(DeviceLoops):
    """A handful of stages is faster without a loop on the device."""

    def repeat(self, count, body, carry):
        for i in range(count):
            carry = body(i, carry)
        return carry


LOOPS = {"none": DeviceLoops, "full": UnrolledLoops}


class LowStorageRungeKutta:
    """Williamson's scheme with three stages."""

    decay = [0.0, -5.0 / 9.0, -153.0 / 128.0]
    weight = [1.0 / 3.0, 15.0 / 16.0, 8.0 / 15.0]

    def __init__(self, rate, profile):
        self.rate = rate
        self.loops = LOOPS[profile["unroll"]]()
        self.step = jax.jit(self._step)

    def _step(self, y, dt):
        def stage(i, carry):
            y, slope = carry
            slope = self.decay[i] * slope + dt * self.rate(y)
            return y + self.weight[i] * slope, slope

        return self.loops.repeat(len(self.weight), stage, (y, jnp.zeros_like(y)))[0]


if __name__ == "__main__":
    scheme = LowStorageRungeKutta(lambda y: -y, PROFILE)
    y = jnp.ones(3)
    for _ in range(10):
        y = scheme.step(y, 0.1)
    assert jnp.allclose(y, jnp.exp(-1.0), atol=1e-4), y
    assert scheme.step._cache_size() == 1
