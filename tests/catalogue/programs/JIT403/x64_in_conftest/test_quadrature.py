import jax.numpy as jnp
import pytest
import quadrature


def test_square():
    assert float(quadrature.gauss(jnp.square)) == pytest.approx(2 / 3, abs=1e-12)
