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
