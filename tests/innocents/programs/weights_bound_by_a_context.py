"""Looks like a fault of JIT204.

A context manager of the base class puts the attributes back that the object had when it was entered.
"""

import contextlib

import jax
import jax.numpy as jnp
import numpy as np


class Bindable:
    def parameters(self):
        return {k: v for k, v in vars(self).items() if isinstance(v, np.ndarray | jax.Array)}

    @contextlib.contextmanager
    def bound(self, params):
        kept = dict(vars(self))
        vars(self).update(params)
        try:
            yield self
        finally:
            vars(self).clear()
            vars(self).update(kept)


class NormalisedLinear(Bindable):
    def __init__(self, inputs, outputs):
        self.direction = np.ones((inputs, outputs), np.float32)
        self.gain = np.ones(outputs, np.float32)
        self.weight = None

    def __call__(self, x):
        self.weight = self.gain * self.direction / jnp.linalg.norm(self.direction, axis=0)
        return x @ self.weight


layer = NormalisedLinear(4, 2)


@jax.jit
def loss(params, x):
    with layer.bound(params):
        return jnp.mean(layer(x) ** 2) + 0.1 * jnp.abs(layer.weight).max()


if __name__ == "__main__":
    params = layer.parameters()
    assert set(params) == {"direction", "gain"}
    for rows in (1, 3):
        assert jnp.isclose(loss(params, jnp.ones((rows, 4))), 4.0 + 0.05)
        assert layer.weight is None and type(layer.gain) is np.ndarray
    grads = jax.grad(loss)(params, jnp.ones((1, 4)))
    assert grads["gain"].shape == (2,) and layer.weight is None
