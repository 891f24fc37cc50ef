"""Immutable objects with ``__new__`` and setters, used as they should be."""

import jax
import jax.numpy as jnp


class Quaternion:
    """Made by ``__new__``; normalised on the host only."""

    def __new__(cls, parts):
        self = super().__new__(cls)
        self.parts = parts
        return self

    def __mul__(self, other):
        a, b = self.parts, other.parts
        scalar = a[0] * b[0] - jnp.dot(a[1:], b[1:])
        vector = a[0] * b[1:] + b[0] * a[1:] + jnp.cross(a[1:], b[1:])
        return Quaternion(jnp.concatenate([scalar[None], vector]))

    def is_unit(self):
        return bool(jnp.isclose(jnp.linalg.norm(self.parts), 1.0))


jax.tree_util.register_pytree_node(
    Quaternion, lambda q: ((q.parts,), None), lambda _, parts: Quaternion(*parts)
)


class Attitude:
    """Holds a quaternion; its setter checks what comes from outside."""

    strict = True

    def __init__(self, rotation):
        self.changes = 0
        self.rotation = rotation
        self._compose = jax.jit(lambda a, b: a * b)

    @property
    def rotation(self):
        return self._rotation

    @rotation.setter
    def rotation(self, value):
        if self.strict and not value.is_unit():
            raise ValueError("not a rotation")
        self._rotation = value
        self.changes += 1

    def turn(self, by):
        self.rotation = self._compose(self.rotation, by)
        return self


class Loose(Attitude):
    strict = False


def make_tracker(cls):
    class Tracker(cls):
        """Counts on the host."""

        def turn(self, by):
            self.turns = getattr(self, "turns", 0) + 1
            return super().turn(by)

    return Tracker


def main():
    half = Quaternion(jnp.array([0.0, 1.0, 0.0, 0.0]))
    tracker = make_tracker(Loose)(half)
    tracker.turn(half).turn(half)
    print(tracker.rotation.parts, tracker.turns, Attitude(half).turn(half).changes)


if __name__ == "__main__":
    main()
