"""Looks like a fault of JIT209.

The object is put together anew for each trace, since its base class registers it: what is cached goes with that one.
"""

import functools

import jax
import jax.numpy as jnp


class Shape:
    """What a subclass takes in `__init__` are its leaves."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        names = cls.__init__.__code__.co_varnames[1 : cls.__init__.__code__.co_argcount]
        jax.tree_util.register_pytree_node(
            cls,
            lambda shape: ([getattr(shape, name) for name in names], None),
            lambda _, leaves: cls(*leaves),
        )


class Polygon(Shape):
    def __init__(self, corners):
        self.corners = corners

    @functools.cached_property
    def edges(self):
        return jnp.roll(self.corners, -1, axis=0) - self.corners

    @functools.cached_property
    def lengths(self):
        return jnp.linalg.norm(self.edges, axis=1)

    @jax.jit
    def perimeter(self):
        return self.lengths.sum()

    @jax.jit
    def roughness(self):
        return self.lengths.std() / self.lengths.mean() + 0.0 * self.edges.sum()


if __name__ == "__main__":
    square = Polygon(jnp.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]))
    assert square.perimeter() == 8.0 and square.roughness() == 0.0
    assert "edges" not in vars(square) and "lengths" not in vars(square)
    assert square.lengths.tolist() == [2.0] * 4
    square.edges
    assert square.roughness() == 0.0 and Polygon(square.corners[:3]).perimeter() > 6.8
    assert jax.grad(lambda corners: Polygon(corners).perimeter())(square.corners).shape == (4, 2)
