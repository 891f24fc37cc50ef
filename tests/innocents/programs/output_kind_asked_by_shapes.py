"""Looks like a fault of JIT106, and of JIT204.

A fit asks once what kind of output a model has, and goes on without where that cannot be told.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Creep:
    """Keeps the last curve that it was evaluated for."""

    def __init__(self):
        self.curve = None

    def strain(self, t, p):
        gamma = p[0] * (1.0 - jnp.exp(-t / p[1]))
        self.curve = {"t": np.asarray(t), "gamma": np.asarray(gamma)}
        return gamma


def residuals_of(model, t, measured):
    kind = None
    try:
        probe = jnp.zeros(1)
        shape = jax.eval_shape(model, t[:1], probe)
        kind = "complex" if jnp.issubdtype(shape.dtype, jnp.complexfloating) else "real"
    except Exception:
        kind = None

    def residuals(p):
        predicted = model(t, p)
        if kind == "complex" or (kind is None and jnp.iscomplexobj(predicted)):
            predicted = jnp.abs(predicted)
        return predicted - measured

    return residuals


def main():
    t = jnp.linspace(0.1, 2.0, 20)
    creep = Creep()
    residuals = residuals_of(creep.strain, t, 0.3 * jnp.ones(20))
    found = residuals(jnp.array([0.4, 1.5]))
    assert found.shape == (20,)
    assert isinstance(creep.curve["gamma"], np.ndarray)


if __name__ == "__main__":
    main()
