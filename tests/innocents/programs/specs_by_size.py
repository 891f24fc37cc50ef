"""Looks like a fault of JIT105.

A metaclass of the project makes objects of the sizes of what the class is given.
"""

import jax
import jax.numpy as jnp
import numpy as np


class BySize(type):
    def __call__(cls, *args, **kwargs):
        sizes = [getattr(a, "size", a) for a in args]
        return super().__call__(*sizes, **{k: getattr(v, "size", v) for k, v in kwargs.items()})


class DenseSpec(metaclass=BySize):
    def __init__(self, fan_in, fan_out):
        self.fan_in = int(fan_in)
        self.fan_out = int(fan_out)
        self.gain = float(fan_in) ** -0.5

    def matrix(self):
        return jnp.full((self.fan_in, self.fan_out), self.gain)


@jax.jit
def project(features, targets):
    spec = DenseSpec(features, fan_out=targets)
    label = f"{spec.fan_in:04d}x{spec.fan_out:04d}"
    assert label.count("x") == 1
    return features @ spec.matrix() - targets


if __name__ == "__main__":
    x = np.arange(4, dtype=np.float32)
    out = project(x, jnp.zeros(3))
    np.testing.assert_allclose(out, np.full(3, x.sum() / 2), rtol=1e-6)
