"""Looks like a fault of JIT109.

The wall sites are found within jax.ensure_compile_time_eval from the geometry the simulation was constructed with, so their number is known while the step is traced.
"""

import contextlib

import jax
import jax.numpy as jnp
import numpy as np


class Channel:
    def __init__(self, height, width, obstacle):
        solid = jnp.zeros((height, width), bool).at[obstacle].set(True)
        self.solid = solid.at[0].set(True).at[-1].set(True)
        self.advance = jax.jit(self._advance)

    @contextlib.contextmanager
    def geometry(self):
        with jax.ensure_compile_time_eval():
            yield jnp.asarray(self.solid)

    def _walls(self):
        with self.geometry() as solid:
            rows, columns = jnp.nonzero(solid)
            return jnp.stack([rows, columns], axis=1)

    def _inlets(self):
        with self.geometry() as solid:
            return jnp.unique(jnp.flatnonzero(~solid[:, 0]))

    def _advance(self, field, inflow):
        walls, inlets = self._walls(), self._inlets()
        field = 0.5 * field + 0.25 * (jnp.roll(field, 1, 1) + jnp.roll(field, -1, 1))
        field = field.at[inlets, 0].set(inflow)
        return field.at[walls[:, 0], walls[:, 1]].set(0.0)


if __name__ == "__main__":
    channel = Channel(6, 8, (slice(2, 4), slice(3, 5)))
    field = jnp.ones((6, 8))
    for inflow in (1.0, 2.0, 3.0):
        field = channel.advance(field, inflow)
    assert channel.advance._cache_size() == 1
    solid = np.asarray(channel.solid)
    assert np.all(np.asarray(field)[solid] == 0.0)
    assert np.all(np.asarray(field)[1:5, 0] == 3.0)
    assert channel._walls().shape == (int(solid.sum()), 2)
