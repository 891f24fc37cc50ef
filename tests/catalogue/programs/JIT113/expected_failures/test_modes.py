"""That these fail is what the tests are about."""

import contextlib
import unittest

import jax
import jax.numpy as jnp
import pytest

import modes


def test_branch():
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(modes.sign)(1.0)


def test_string():
    with pytest.raises(TypeError):
        jax.jit(modes.halve)(jnp.ones(2), "half")


def test_plain():
    assert modes.sign(2.0) == 1.0
    assert float(modes.halve(2.0, "half")) == 1.0


class TestMask(unittest.TestCase):
    def test_mask(self):
        with self.assertRaises(IndexError):
            jax.jit(modes.pick)(jnp.arange(3), jnp.array([True, False, True]))

    def test_text(self):
        self.assertRaises(TypeError, modes.total, "abc")


def test_optional():
    with contextlib.suppress(TypeError):
        modes.total("abc")
    pytest.raises(TypeError, jax.jit(modes.sign), 1.0)
