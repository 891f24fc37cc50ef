"""Tests of Chex, which run a method jitted and not jitted."""

from __future__ import annotations

import unittest

import pytest

from tests.linting import check


def test_variants_that_jit() -> None:
    check("""
        import chex
        from absl.testing import parameterized

        def jacobian(function, rng, count):
            return function(rng) * count

        def jitted_jacobian(variant):
            return variant(jacobian, static_argnums=(0, 1, 2))

        class JacobianTest(chex.TestCase):

            @chex.all_variants
            @parameterized.parameters((1.0, 2), (2.0, 3))
            def test_jacobian(self, scale, count):
                rng = jax.random.PRNGKey(0)
                jitted_jacobian(self.variant)(jnp.sin, rng, 3)  # JIT304

            @chex.variants(with_jit=True, without_jit=True)
            def test_sign(self):
                @self.variant
                def sign(x):
                    if x > 0:  # JIT101
                        return x
                    return -x

                sign(1.0)

            @chex.variants(without_jit=True, with_device=True)
            def test_host(self):
                @self.variant
                def sign(x):
                    return x if x > 0 else -x

                sign(1.0)

            @chex.all_variants(with_jit=False)
            @parameterized.parameters((1.0,), (2.0,))
            def test_devices(self, number):
                @self.variant(static_argnums=(1,), axis_name="i")
                def scaled(x, by):
                    return x * by

                row = np.broadcast_to(number, (3,))
                scaled(jnp.ones(3), row)  # JIT304
    """)


def test_what_only_looks_like_it() -> None:
    check("""
        import unittest
        from shop import variants

        class ColourTest(unittest.TestCase):

            def variant(self, function):
                return function

            @variants(with_jit=True)
            def test_sign(self):
                @self.variant
                def sign(x):
                    return x if x > 0 else -x

                sign(1.0)
    """)


@pytest.mark.jax
def test_what_chex_does() -> None:
    import chex
    import jax
    import jax.numpy as jnp
    import numpy as np

    seen = []

    class Case(chex.TestCase):
        @chex.variants(with_jit=True)
        def test_it(self) -> None:
            traced = self.variant(lambda x: seen.append(isinstance(x, jax.core.Tracer)) or x)
            traced(jnp.ones(2))
            static = self.variant(lambda x, y: x, static_argnums=(1,))
            with self.assertRaises(ValueError):
                static(jnp.ones(2), np.ones(2))

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)
    assert result.testsRun == 1
    assert result.wasSuccessful(), result.errors + result.failures
    assert seen == [True]
