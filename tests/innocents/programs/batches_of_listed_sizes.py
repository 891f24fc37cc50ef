"""Looks like a fault of JIT306.

The static number picks sizes from a tuple: there is one program for each entry, for arrays of other shapes.
"""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@partial(
    jax.tree_util.register_dataclass,
    data_fields=["values", "offsets"],
    meta_fields=["counts", "widths"],
)
@dataclasses.dataclass(frozen=True)
class Mesh:
    """Elements of several kinds, one kind after the other."""

    values: jax.Array
    offsets: jax.Array
    counts: tuple[int, ...]
    widths: tuple[int, ...]

    @partial(jax.jit, static_argnames="kind")
    def elements(self, kind):
        flat = jax.lax.dynamic_slice(
            self.values, (self.offsets[kind],), (self.counts[kind] * self.widths[kind],)
        )
        return flat.reshape(self.counts[kind], self.widths[kind])

    @property
    def kinds(self):
        return len(self.counts)


def energy(mesh):
    return sum((mesh.elements(kind) ** 2).sum() for kind in range(mesh.kinds))


def relax(mesh, rounds):
    total = 0.0
    for _ in range(rounds):
        for kind in range(mesh.kinds):
            total = total + mesh.elements(kind).mean()
    return total


if __name__ == "__main__":
    mesh = Mesh(jnp.arange(10.0), jnp.array([0, 6]), (2, 1), (3, 4))
    assert float(energy(mesh)) == float((jnp.arange(10.0) ** 2).sum())
    relax(mesh, 5)
    assert Mesh.elements._cache_size() == 2, Mesh.elements._cache_size()
