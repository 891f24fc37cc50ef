"""Looks like a fault of JIT309.

`__new__` of the base class makes a pytree of the class, when the first object of it is made.
"""

import jax
import jax.numpy as jnp


class Component:
    """Part of an optical system; what its attributes hold can be fitted."""

    _registered = set()

    def __new__(cls, *args, **kwargs):
        if cls not in Component._registered:
            jax.tree_util.register_pytree_node(cls, cls._flatten, cls._unflatten)
            Component._registered.add(cls)
        return super().__new__(cls)

    def _flatten(self):
        return tuple(vars(self).values()), tuple(vars(self))

    @classmethod
    def _unflatten(cls, names, values):
        self = object.__new__(cls)
        vars(self).update(zip(names, values))
        return self


class ThinLens(Component):
    def __init__(self, power):
        self.power = power

    @jax.jit
    def propagate(self, rays):
        height, slope = rays
        return jnp.stack([height, slope - self.power * height])


class Gap(Component):
    def __init__(self, length):
        self.length = length

    @jax.jit
    def propagate(self, rays):
        return jnp.stack([rays[0] + self.length * rays[1], rays[1]])


def image(system, rays):
    for component in system:
        rays = component.propagate(rays)
    return rays


if __name__ == "__main__":
    rays = jnp.array([[1.0, -2.0], [0.0, 0.0]])
    assert image([ThinLens(0.5), Gap(2.0)], rays)[0].tolist() == [0.0, 0.0]
    assert image([ThinLens(0.25), Gap(2.0)], rays)[0].tolist() == [0.5, -1.0]
    assert ThinLens.propagate._cache_size() == Gap.propagate._cache_size() == 1
