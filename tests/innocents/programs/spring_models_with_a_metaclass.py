"""Looks like a fault of JIT309.

The metaclass registers every model as a pytree with its annotated arrays as leaves and its other options as static data, so a compiled method may take self.
"""

import jax
import jax.numpy as jnp
import numpy as np


class ModelMeta(type):
    def __new__(mcs, name, bases, namespace):
        cls = super().__new__(mcs, name, bases, namespace)
        fields = {}
        for base in reversed(cls.__mro__):
            fields.update(base.__dict__.get("__annotations__", {}))
        cls._arrays = [f for f, kind in fields.items() if kind is jax.Array]
        cls._options = [f for f, kind in fields.items() if kind is not jax.Array]
        jax.tree_util.register_pytree_node(cls, cls._flatten, cls._unflatten)
        return cls

    def _flatten(cls, model):
        leaves = [getattr(model, f) for f in cls._arrays]
        return leaves, tuple(getattr(model, f) for f in cls._options)

    def _unflatten(cls, options, leaves):
        model = object.__new__(cls)
        for name, value in zip(cls._arrays + cls._options, [*leaves, *options]):
            setattr(model, name, value)
        return model


class Model(metaclass=ModelMeta):
    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, jnp.asarray(value) if name in self._arrays else value)


class Spring(Model):
    stiffness: jax.Array
    damping: jax.Array
    substeps: int

    @jax.jit
    def advance(self, state):
        for _ in range(self.substeps):
            position, speed = state
            force = -self.stiffness * position - self.damping * speed
            speed = speed + force * 0.1 / self.substeps
            state = jnp.stack([position + speed * 0.1 / self.substeps, speed])
        return state


if __name__ == "__main__":
    spring = Spring(stiffness=4.0, damping=0.0, substeps=2)
    start = jnp.array([1.0, 0.0])
    soft = spring.advance(start)
    spring.stiffness = jnp.asarray(40.0)
    stiff = spring.advance(start)
    assert np.isclose(soft[1], -0.4, atol=0.02) and stiff[1] < -3.5
    assert Spring.advance._cache_size() == 1
    spring.substeps = 4
    finer = spring.advance(start)
    assert not np.allclose(finer, stiff) and Spring.advance._cache_size() == 2
    gradient = jax.grad(lambda s: s.advance(start)[0])(spring)
    assert isinstance(gradient, Spring) and float(gradient.stiffness) < 0
