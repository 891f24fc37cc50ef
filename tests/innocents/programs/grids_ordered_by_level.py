"""Looks like a fault of JIT103.

functools.total_ordering makes the comparisons from a static field.

Grids are compared by their level, which belongs to the tree structure, and
never by their values.
"""
import functools

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@functools.total_ordering
class Grid:
    def __init__(self, values, level):
        self.values = values
        self.level = level

    def tree_flatten(self):
        return (self.values,), self.level

    @classmethod
    def tree_unflatten(cls, level, children):
        return cls(*children, level)

    def __eq__(self, other):
        return self.level == other.level

    def __lt__(self, other):
        return self.level < other.level


@jax.jit
def restrict(fine):
    values = 0.5 * (fine.values[0::2] + fine.values[1::2])
    return Grid(values, fine.level - 1)


@jax.jit
def correct(fine, coarse):
    assert fine > coarse, "the correction must come from a coarser grid"
    assert coarse >= restrict(fine)
    return Grid(fine.values + jnp.repeat(coarse.values, 2), fine.level)


if __name__ == "__main__":
    fine = Grid(jnp.arange(8.0), 3)
    coarse = restrict(fine)
    result = correct(fine, coarse)
    assert result.level == 3 and result.values.shape == (8,)
    assert float(result.values[0]) == 0.5
    assert not coarse > fine and max(coarse, fine) is fine
