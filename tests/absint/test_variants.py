"""Other values than defaults: which ones a function is run with, and what is said of them."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import libcst as cst
import pytest

from jitlint.absint.code.choices import Choice, Defaulted, questions
from jitlint.diagnostics import Severity
from tests.linting import analysis, check, check_project


def _alternatives(default: Any, body: str) -> tuple[Choice, ...]:
    source = "def f(p):\n" + "".join(f"    {line}\n" for line in dedent(body).splitlines())
    function = cst.parse_module(source).body[0]
    assert isinstance(function, cst.FunctionDef)
    return Defaulted(questions(function), "p", default, lambda hidden: True).alternatives()


@pytest.mark.parametrize(
    ("default", "body", "others"),
    [
        (False, "if p:\n    g()", (True,)),
        (True, "if not p:\n    g()", (False,)),
        (False, "if q and p:\n    g()", (True,)),
        (False, "if q or p:\n    g()", ()),
        (True, "if q or p:\n    return 1\nelse:\n    g()", (False,)),
        (False, "if p:\n    raise ValueError", ()),
        (True, "if p:\n    g()", ()),
        (True, "if p:\n    return 1\ng()", (False,)),
        (False, "x = g() if p else 0", (True,)),
        (False, "x = 1 if p else 0", ()),
        (False, "assert p\ng()", (True,)),
        (None, "if p is not None:\n    g()", (...,)),
        (None, "if p is None:\n    p = 3\ng(p)", ()),
        (None, "if p is None:\n    return 0\ng(p)", (...,)),
        (None, "if p:\n    g(p)", (...,)),
        (None, "if p == 'all':\n    g()", ("all",)),
        ("sum", "if p == 'sum':\n    g()\nelif p == 'max':\n    h()", ("max",)),
        ("sum", "if p in ('max', 'min'):\n    h()", ("max", "min")),
        ("sum", "if p == 'sum':\n    g()\nelse:\n    h()", (...,)),
        ("sum", "match p:\n    case 'max':\n        h()\n    case 'sum':\n        g()", ("max",)),
        (1, "if p == 2:\n    g()", (2,)),
        (1, "if p > 2:\n    g()", (...,)),
        (False, "if p == 'all':\n    g()", ("all",)),
        (False, "def inner(p):\n    if p:\n        g()", ()),
        (False, "def inner():\n    if p:\n        g()", (True,)),
        (False, "if q:\n    g(p)", ()),
    ],
)
def test_alternatives(default: Any, body: str, others: tuple[Choice, ...]) -> None:
    assert _alternatives(default, body) == others


def test_what_is_said_of_a_declared_static_value() -> None:
    (found,) = analysis("""
        @partial(jax.jit, static_argnames=("debug",))
        def f(x, debug=False):
            if debug and x > 0:
                return x
            return -x
    """).diagnostics
    assert (found.code, found.severity) == ("JIT101", Severity.ERROR)
    assert found.message.startswith("With `debug=True`: `x > 0` is traced here")


@pytest.mark.parametrize("call", ["f(x)", "f(x, False)", "f(x, debug=False)", "f(x, debug=True)"])
def test_what_is_called_with_one_value_alone(call: str) -> None:
    check(f"""
        @partial(jax.jit, static_argnames=("debug",))
        def f(x, debug=False):
            if debug and x > 0:  # JIT101
                return x
            return -x

        def main(x):
            return {call}
    """)


def test_what_happens_anyway_is_no_matter_of_a_value() -> None:
    (found,) = analysis("""
        def shown(x):
            return float(x)

        @partial(jax.jit, static_argnames=("debug",))
        def f(x, debug=False):
            return shown(x) if debug else x

        @jax.jit
        def g(x):
            return shown(x)
    """).diagnostics
    assert found.message.startswith("`x` is traced here")


def test_what_is_not_static_is_left_at_its_default() -> None:
    check("""
        @jax.jit
        def f(x, n=3):
            if n > 2:
                return x * n
            return x

        f(1.0)
    """)


def test_a_switch_decides_twice() -> None:
    check("""
        def value(x, checked):
            if checked and x.sum() > 0:
                raise ValueError
            return x

        def solve(x, compiled=False):
            function = jax.jit(value, static_argnums=1) if compiled else value
            checked = not compiled
            return function(x, checked)

        def solve_checked(x, compiled=False):
            function = value
            if compiled:
                function = jax.jit(value, static_argnums=1)
            return function(x, False)
    """)


def test_what_a_switch_makes_and_nobody_calls() -> None:
    check("""
        def make(clip=False, limit=None):
            if clip:
                @jax.jit
                def step(x):
                    return x if x > 0 else 0 * x  # JIT101
            else:
                @jax.jit
                def step(x):
                    if limit is not None and x > limit:  # JIT101
                        return limit
                    return x
            return step
    """)


def test_a_driver_of_another_file() -> None:
    check_project(
        {
            "pkg/__init__.py": "",
            "pkg/loss.py": """
                def loss(x):
                    if x.sum() > 0:  # JIT101
                        return x
                    return -x
            """,
            "pkg/main.py": """
                import jax
                from pkg.loss import loss

                def main(x, use_jit=False):
                    function = loss
                    if use_jit:
                        function = jax.jit(loss)
                    return function(x)
            """,
        }
    )


def test_flags_where_only_arrays_are_traced() -> None:
    check("""
        import equinox as eqx

        @eqx.filter_jit
        def f(x: jax.Array, clip=False, limit=None):
            if clip:
                return x if x.sum() > 0 else -x  # JIT101
            return x

        @eqx.filter_jit
        def g(x: jax.Array, clip=False):
            if clip:
                return x if x.sum() > 0 else -x
            return x

        g(jnp.ones(3))
    """)


def test_what_is_given_is_not_none() -> None:
    check("""
        def fit(x, callback=None, probe: jax.Array | None = None):
            def step(x):
                if callback is not None:
                    callback(float(x.sum()))
                if probe is not None:
                    return float(x.sum())
                return x * 2
            if callback is None and probe is None:
                step = jax.jit(step)
            return step(x)
    """)


def test_a_static_none() -> None:
    (found,) = analysis("""
        @partial(jax.jit, static_argnames=("limit",))
        def f(x, limit=None):
            if limit is None:
                return x
            return x if x > limit else limit
    """).diagnostics
    assert found.message.startswith("With `limit` given: `x > limit` is traced here")
