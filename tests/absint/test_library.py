"""Models of other libraries are found by what is called, not by how the code writes it."""

from __future__ import annotations

from tests.linting import check


def test_a_builtin_under_another_name() -> None:
    check("""
        from builtins import all as every, min as least

        @jax.jit
        def f(x):
            if least(3, 5) > 4 or not every((True, True)):
                return float(x)
            return x
    """)


def test_a_library_function_under_another_name() -> None:
    check("""
        from operator import itemgetter as item

        @jax.jit
        def f(x):
            first = item(0)((x, 1))
            return float(first)  # JIT105
    """)


def test_what_traced_values_are_passed_through() -> None:
    check("""
        import dataclasses
        import einops
        import equinox.internal as eqxi
        from jax.flatten_util import ravel_pytree

        @jax.jit
        def f(x, params):
            rows = einops.rearrange(x, "a b -> b a")
            if rows.sum() > 0:  # JIT101
                return rows
            flat, unravel = ravel_pytree(params)
            for leaf in jax.tree.leaves(unravel(flat)):
                if leaf.sum() > 0:  # JIT101
                    return leaf
            assert flat.max() > 0  # JIT103
            kept = eqxi.nondifferentiable(x.mean())
            return float(kept)  # JIT105
    """)


def test_what_describes_no_value_is_static() -> None:
    check("""
        import inspect
        import warnings
        import equinox as eqx

        @jax.jit
        def f(x, g=jnp.sin):
            if len(inspect.signature(g).parameters) > 1 or eqx.filter_eval_shape(g, x).ndim > 2:
                warnings.warn("too many")
            if ord("a") > 90:
                return x
            return x + 1
    """)
