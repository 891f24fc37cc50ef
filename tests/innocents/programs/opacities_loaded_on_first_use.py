"""Looks like a fault of JIT203.

The global is bound at the first use, to numbers of NumPy that are read from a text once for the whole process.
"""

import io

import jax
import jax.numpy as jnp
import numpy as np

OPACITIES = "# log T, log kappa\n3.0 -1.0\n4.0 1.0\n6.0 -0.5\n"

_table = None


def opacity_table():
    global _table
    if _table is None:
        _table = np.loadtxt(io.StringIO(OPACITIES), dtype=np.float32).T
    return _table


@jax.jit
def optical_depth(density, temperature, thickness):
    log_temperature, log_opacity = opacity_table()
    opacity = 10 ** jnp.interp(jnp.log10(temperature), log_temperature, log_opacity)
    return density * opacity * thickness


def profile(density, temperatures):
    return jnp.stack([optical_depth(density, t, 1.0) for t in temperatures])


if __name__ == "__main__":
    assert jnp.allclose(profile(1.0, [1e3, 1e4]), jnp.array([0.1, 10.0]), rtol=1e-4)
    assert optical_depth(jnp.ones(2), jnp.full(2, 1e6), 1.0).shape == (2,)
    assert type(_table) is np.ndarray
    del OPACITIES  # it is not read again, neither in a trace nor outside
    assert optical_depth(jnp.ones(3), jnp.full(3, 1e4), 1.0).tolist() == [10.0] * 3
    assert np.allclose(opacity_table()[1], [-1.0, 1.0, -0.5])
