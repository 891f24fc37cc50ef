"""Loops that Python runs while JAX traces."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jitlint.diagnostics import Severity
from tests.linting import reports


def _rows(source: str) -> list[int]:
    found = reports(dedent(source), at_least=Severity.INFO)
    return [row for row, code in found if code == "JIT404"]


@pytest.mark.parametrize(
    ("iterable", "is_long"),
    [
        ("range(300)", True),
        ("range(0, 600, 2)", True),
        ("reversed(range(300))", True),
        ("range(STEPS)", True),
        ("range(3 * STEPS // 2)", True),
        ("enumerate(range(300))", True),
        ("zip(range(300), range(200))", True),
        ("zip(range(300), unknown())", False),
        ("np.linspace(0, 1, 200)", True),
        ("jnp.zeros((3, 200))", False),
        ("TIMES", True),
        ("x", True),
        ("range(len(x))", True),
        ("range(1, x.shape[0])", True),
        ("range(x.shape[1])", False),
        ("range(12)", False),
        ("range(x.ndim)", False),
        ("range(unknown())", False),
    ],
)
def test_ranges(iterable: str, *, is_long: bool) -> None:
    found = _rows(f"""\
        STEPS = 100
        TIMES = 0.1 * np.arange(200)

        @jax.jit
        def f(x):
            y = 0.0
            for k in {iterable}:
                y = jnp.sin(y) + jnp.max(k)
            return y

        f(np.ones((150, 3)))
    """)
    assert found == ([7] if is_long else [])


@pytest.mark.parametrize(
    ("body", "stages"),
    [
        ("x = x * 2", True),
        ("x = helper(x)", True),
        ("x = jitted(x)", True),
        ("found.append(x[k])", True),
        ("y = k * 2", False),
        ("found.append(np.exp(k))", False),
        ("found.append(x.shape[0] + x.ndim)", False),
    ],
)
def test_bodies(body: str, *, stages: bool) -> None:
    found = _rows(f"""\
        def helper(x):
            return jnp.tanh(x)

        @jax.jit
        def jitted(x):
            return helper(x)

        @jax.jit
        def f(x):
            found = []
            x = helper(x)
            for k in range(200):
                {body}
            return x, found
    """)
    assert found == ([12] if stages else [])


@pytest.mark.parametrize(
    "body",
    [
        "if k % 10 == 0:\n                    x = x + 1",
        "if k == 3:\n                    break\n                x = x + 1",
        "try:\n                    x = x + table[k]\n                except IndexError:\n"
        "                    return x",
    ],
)
def test_turns_that_may_do_nothing(body: str) -> None:
    assert not _rows(f"""\
        @jax.jit
        def f(x):
            for k in range(200):
                {body}
            return x
    """)


def test_both_branches_stage() -> None:
    assert _rows("""\
        @jax.jit
        def f(x):
            for k in range(200):
                if k % 2:
                    x = x + 1
                else:
                    x = x * 2
            return x
    """) == [3]


@pytest.mark.parametrize("decorator", ["", "@jax.grad", "@jax.vmap"])
def test_nothing_is_compiled_without_jit(decorator: str) -> None:
    assert not _rows(f"""\
        {decorator}
        def f(x):
            for k in range(200):
                x = jnp.sin(x)
            return x

        f(1.0)
    """)


def test_loops_in_each_other() -> None:
    assert _rows("""\
        @jax.jit
        def f(x):
            for i in range(20):
                for j in range(15):
                    x = x + jnp.sin(i + j)
            for i in range(3):
                for j in range(120):
                    x = x + jnp.sin(i + j)
            for i in range(3):
                for j in range(5):
                    x = x + jnp.sin(i + j)
            return x
    """) == [3, 7]


def test_comprehensions() -> None:
    assert _rows("""\
        @jax.jit
        def f(x):
            a = jnp.stack([x * k for k in range(100)])
            b = sum(x * k for k in range(100))
            c = [k * 2 for k in range(100)]
            d = [x * k for k in range(100) if k in c]
            return a, b, d
    """) == [3, 4]


def test_the_longest_of_several_calls_counts() -> None:
    assert _rows("""\
        @partial(jax.jit, static_argnames="count")
        def f(x, count):
            for k in range(count):
                x = jnp.sin(x)
            return x

        f(1.0, 5)
        f(1.0, count=500)
    """) == [3]


def test_a_helper_that_is_recalled_stages_what_it_stages() -> None:
    assert _rows("""\
        def helper(x):
            return jnp.tanh(x)

        @jax.jit
        def f(x):
            x = helper(x)
            for k in range(100):
                helper(x)
            return x
    """) == [7]
