"""Looks like a fault of JIT108.

functools.partialmethod binds the count before anything is traced.

Only the two bound variants are compiled; the general method runs eagerly.
"""
from functools import partialmethod

import jax
import jax.numpy as jnp


class Ensemble:
    def __init__(self, scale):
        self.scale = scale
        self.coarse = jax.jit(self._coarse)
        self.fine = jax.jit(self._fine)

    def perturb(self, state, key, members, width=1):
        noise = jax.random.normal(key, (members,) + state.shape)
        kernel = jnp.ones(width) / width
        smooth = jax.vmap(lambda row: jnp.convolve(row, kernel, mode="same"))
        return state + self.scale * smooth(noise)

    _coarse = partialmethod(perturb, members=4)
    _fine = partialmethod(perturb, members=16, width=3)


def spread(ensemble, state, key):
    few = ensemble.coarse(state, key)
    many = ensemble.fine(state, key)
    return few.std(0).mean(), many.std(0).mean()


if __name__ == "__main__":
    ensemble = Ensemble(0.1)
    state = jnp.zeros(8)
    assert ensemble.coarse(state, jax.random.key(0)).shape == (4, 8)
    assert ensemble.fine(state, jax.random.key(0)).shape == (16, 8)
    coarse, fine = spread(ensemble, state, jax.random.key(1))
    assert 0 < float(coarse) < 1 and 0 < float(fine) < 1
    assert ensemble.coarse._cache_size() == ensemble.fine._cache_size() == 1
