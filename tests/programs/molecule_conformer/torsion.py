"""Energies of torsion angles, as an Equinox module."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Torsions(eqx.Module):
    """A chain with a barrier for every bond."""

    barriers: jax.Array
    folds: int = eqx.field(static=True, default=3)
    names: tuple[str, ...] = eqx.field(static=True, default=())

    def __init__(self, barriers, folds=3):
        self.barriers = jnp.asarray(barriers)
        self.folds = folds
        self.names = tuple(f"bond{i}" for i in range(len(barriers)))

    @jax.jit
    def energy(self, angles):
        return (self.barriers * (1 + jnp.cos(self.folds * angles))).sum()

    @eqx.filter_jit
    def terms(self, angles, prefix="e"):
        named = {}
        for name, barrier, angle in zip(self.names, self.barriers, angles):
            named[f"{prefix}_{name}"] = barrier * (1 + jnp.cos(self.folds * angle))
        return named

    def softened(self, factor):
        return eqx.tree_at(lambda t: t.barriers, self, self.barriers * factor)


def grid(folds):
    """Rest angles, worked out while compiling."""
    with jax.ensure_compile_time_eval():
        rest = (2 * jnp.arange(folds) + 1) * jnp.pi / folds
        if rest[0] > jnp.pi:
            rest = rest - jnp.pi
    return rest
