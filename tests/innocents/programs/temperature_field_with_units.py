"""Looks like a fault of JIT106.

The field class answers NumPy's __array_ufunc__ and __array_function__ protocols with the jax.numpy functions of the same names.
"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_node_class
class Quantity:
    def __init__(self, magnitude, unit):
        self.magnitude = magnitude
        self.unit = unit

    def tree_flatten(self):
        return (self.magnitude,), self.unit

    @classmethod
    def tree_unflatten(cls, unit, children):
        return cls(children[0], unit)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__":
            return NotImplemented
        return self._forward(getattr(jnp, ufunc.__name__), inputs, kwargs)

    def __array_function__(self, function, types, args, kwargs):
        return self._forward(getattr(jnp, function.__name__), args, kwargs)

    def _forward(self, function, args, kwargs):
        bare = [a.magnitude if isinstance(a, Quantity) else a for a in args]
        return Quantity(function(*bare, **kwargs), self.unit)


@jax.jit
def anomaly(field):
    baseline = np.mean(field, axis=0)
    spread = np.sqrt(np.mean(np.square(np.subtract(field, baseline)), axis=0))
    return np.divide(np.subtract(field, baseline), np.add(spread, 1e-6))


if __name__ == "__main__":
    rng = np.random.default_rng(4)
    readings = rng.normal(280.0, 5.0, size=(12, 6)).astype(np.float32)
    result = anomaly(Quantity(jnp.asarray(readings), "K"))
    assert result.unit == "K" and isinstance(result.magnitude, jax.Array)
    centred = readings - readings.mean(axis=0)
    expected = centred / (centred.std(axis=0) + 1e-6)
    np.testing.assert_allclose(result.magnitude, expected, atol=2e-3)
    anomaly(Quantity(jnp.asarray(readings + 1.0), "K"))
    assert anomaly._cache_size() == 1
    print("largest anomaly", float(result.magnitude.max()))
