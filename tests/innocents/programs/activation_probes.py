"""Looks like a fault of JIT204.

The flag `probe` read in the constructor decides both whether the forward pass stores its activations and whether it is compiled, so it never does both.
"""

import copy

import jax
import jax.numpy as jnp
import numpy as np


class Encoder:
    def __init__(self, key, widths, *, probe=False):
        keys = jax.random.split(key, len(widths) - 1)
        self.weights = [
            jax.random.normal(k, (m, n)) / jnp.sqrt(m)
            for k, m, n in zip(keys, widths[:-1], widths[1:])
        ]
        self.configure(probe)

    def configure(self, probe):
        self.taps = {}
        self.latest = None
        self._tap = self._keep if probe else self._pass
        self.forward = self._forward if probe else jax.jit(self._forward)

    def probed(self):
        twin = copy.copy(self)
        twin.configure(True)
        return twin

    def _keep(self, name, value):
        self.taps[name] = value
        self.latest = value
        return value

    def _pass(self, name, value):
        return value

    def _forward(self, x):
        for depth, weight in enumerate(self.weights):
            x = self._tap(f"layer{depth}", jnp.tanh(x @ weight))
        return x


if __name__ == "__main__":
    encoder = Encoder(jax.random.key(0), (4, 8, 3))
    inspected = encoder.probed()
    x = jnp.linspace(-1, 1, 8).reshape(2, 4)
    with jax.checking_leaks():
        served = encoder.forward(x)
        shown = inspected.forward(x)
    assert np.allclose(served, shown, atol=1e-6)
    assert encoder.taps == {} and encoder.latest is None
    assert sorted(inspected.taps) == ["layer0", "layer1"]
    assert not any(isinstance(t, jax.core.Tracer) for t in inspected.taps.values())
    assert float(jnp.abs(inspected.latest - shown).max()) == 0.0
    encoder.forward(x + 1)
    assert encoder.forward._cache_size() == 1
