"""Looks like a fault of JIT106.

The class implements `__array_ufunc__`, and sends NumPy's ufuncs to jax.numpy.
"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_node_class
class Field(np.lib.mixins.NDArrayOperatorsMixin):
    """Values on a mesh, with the spacing of the mesh."""

    def __init__(self, values, spacing):
        self.values = values
        self.spacing = spacing

    def tree_flatten(self):
        return (self.values,), self.spacing

    @classmethod
    def tree_unflatten(cls, spacing, children):
        return cls(children[0], spacing)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs:
            return NotImplemented
        operands = [i.values if isinstance(i, Field) else i for i in inputs]
        return Field(getattr(jnp, ufunc.__name__)(*operands), self.spacing)

    def integral(self):
        return self.values.sum() * self.spacing


@jax.jit
def free_energy(density):
    entropy = density * np.log(density)
    gradient = np.square(np.subtract(density, 0.5))
    return (entropy + 0.5 * gradient).integral()


if __name__ == "__main__":
    values = np.linspace(0.2, 0.8, 32, dtype=np.float32)
    energy = free_energy(Field(jnp.asarray(values), 1.0 / 32))
    expected = np.sum(values * np.log(values) + 0.5 * (values - 0.5) ** 2) / 32
    assert np.isclose(float(energy), expected, rtol=1e-4)
    slope = jax.grad(free_energy)(Field(jnp.asarray(values), 1.0 / 32))
    assert slope.values.shape == (32,)
