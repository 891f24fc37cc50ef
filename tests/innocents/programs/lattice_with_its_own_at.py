"""Looks like a fault of JIT212.

`at` is a descriptor of the class, whose `set` writes back into the object.

The object is made in the trace; the name `.at` is that of jax.numpy on
purpose.
"""
import jax
import jax.numpy as jnp


class WriteBack:
    def __get__(self, owner, kind=None):
        return Cursor(owner)


class Cursor:
    def __init__(self, owner, index=...):
        self.owner = owner
        self.index = index

    def __getitem__(self, index):
        return Cursor(self.owner, index)

    def __getattr__(self, name):
        def update(value):
            place = self.owner.values.at[self.index]
            self.owner.values = getattr(place, name)(value)

        return update


class Lattice:
    at = WriteBack()

    def __init__(self, values):
        self.values = values


@jax.jit
def boundary(values):
    lattice = Lattice(values)
    lattice.at[0].set(0.0)
    lattice.at[-1].set(0.0)
    lattice.at[:, 0].add(1.0)
    lattice.at[1:-1, -1].multiply(2.0)
    return lattice.values


if __name__ == "__main__":
    result = boundary(jnp.ones((4, 3)))
    assert result[0].tolist() == [1.0, 0.0, 0.0]
    assert result[1].tolist() == [2.0, 1.0, 2.0]
    assert result[-1].tolist() == [1.0, 0.0, 0.0]
