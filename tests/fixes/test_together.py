"""What fixes may not take from each other, from names and from the order of imports."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from jitlint.fixes.bound_names import unbound_names
from jitlint.fixes.rounds import _spoiled
from tests.fixes.fixing import fixed, fixed_unsafely
from tools.fix_proofs.listing import outcome_of


def test_what_becomes_static_is_no_array_for_another_fix(tmp_path: Path) -> None:
    source = """\
@jax.jit
def clipped(x, low=1):
    if not isinstance(low, int):
        low = round(float(low))
    return jnp.maximum(x, low)
"""
    static = '@partial(jax.jit, static_argnames=("low",))'
    assert fixed_unsafely(source, tmp_path) == source.replace("@jax.jit", static)


def test_fixes_that_rest_on_the_same_stay_together(tmp_path: Path) -> None:
    source = """\
@jax.jit
def f(x):
    print(x)
    y = x * 2
    print(y)
    return y
"""
    path = tmp_path / "module.py"
    path.write_text("import jax\n" + source, encoding="utf-8")
    outcome = outcome_of(path, unsafe=True)
    assert len(outcome.fixed) == 2
    assert len(outcome.rounds) == 1


def test_a_test_that_binds_a_name_is_left(tmp_path: Path) -> None:
    source = """\
@jax.jit
def bisect(lo, hi):
    while (width := hi - lo) > 1e-6:
        hi = lo + 0.5 * width
    return lo, width
"""
    assert fixed(source, tmp_path, unsafe=True) == source


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x):\n    return x + y\n", {"y"}),
        ("def f(x):\n    def g():\n        return (w := x)\n    return g() + w\n", {"w"}),
        ("def f(x):\n    w = x\n    return lambda: w\n", set()),
        ("def f():\n    global w\n    w = 1\ndef g():\n    return w\n", set()),
        ("import os\nclass A:\n    n = 1\n    m = [n for _ in os.sep]\n", {"n"}),
        ("print(__file__, len, *[a for a in ()])\n", set()),
        ("def f(:\n", set()),
    ],
)
def test_names_without_a_value_are_found(text: str, expected: set[str]) -> None:
    assert unbound_names(text) == expected


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ("import jax\n", "import functools\n\nimport jax\n"),
        ("import os\nimport jax\n", "import functools\nimport os\nimport jax\n"),
        (
            "import argparse\nfrom os import path\n\nimport jax\n",
            "import argparse\nimport functools\nfrom os import path\n\nimport jax\n",
        ),
        (
            "from __future__ import annotations\n\nimport jax\n",
            "from __future__ import annotations\n\nimport functools\n\nimport jax\n",
        ),
    ],
)
def test_imports_stand_where_a_sorter_has_them(imports: str, expected: str, tmp_path: Path) -> None:
    source = """
    @jax.jit
    def f(x, n: int):
        return x[:n]
    """
    path = tmp_path / "module.py"
    path.write_text(imports + dedent(source), encoding="utf-8")
    ((_, new),) = outcome_of(path, unsafe=True).texts.values()
    assert new.partition("\n@")[0].rstrip("\n") == expected.rstrip("\n")


def test_names_that_the_loop_uses_are_no_names_for_its_parts(tmp_path: Path) -> None:
    source = """\
def turn(x):
    return x * 2.0

@jax.jit
def grow(x):
    while x < 100.0:
        x = turn(x)
    return x
"""
    new = fixed_unsafely(source, tmp_path)
    assert "def turn_(x):\n        x = turn(x)" in new
    assert "while_loop(go_on, turn_, x)" in new


def test_a_loop_that_fills_a_list_is_left(tmp_path: Path) -> None:
    source = """\
@jax.jit
def trajectory(x, limit):
    path = [x]
    while x < limit:
        x = x * 1.5
        path.append(x)
    return path[-1]
"""
    assert fixed(source, tmp_path, unsafe=True) == source


def test_a_list_that_its_own_trace_reads_gets_nothing_from_the_host(tmp_path: Path) -> None:
    source = """\
@jax.jit
def trajectory(x):
    path = [x]

    def step(i, x):
        path.append(x)
        return x * 1.5

    x = jax.lax.fori_loop(0, 3, step, x)
    return x + path[-1]
"""
    assert fixed(source, tmp_path, unsafe=True) == source


@pytest.mark.parametrize(
    ("test", "value"),
    [
        ("flag > 0", "jnp.pad(x, (0, 1))"),
        ("flag > 0", "x[: x.size // 2]"),
        ("flag > 0", "jnp.concatenate([x, x])"),
    ],
)
def test_values_of_other_shapes_are_not_selected(test: str, value: str, tmp_path: Path) -> None:
    source = f"""\
@jax.jit
def f(x, flag: jax.Array):
    x = {value} if {test} else x
    return x.sum()
"""
    assert "where" not in fixed(source, tmp_path, unsafe=True)
    assert "cond" not in fixed(source, tmp_path, unsafe=True)


def test_two_parameters_of_one_shape_become_static_one_after_the_other(tmp_path: Path) -> None:
    source = """\
@jax.jit
def noise(key, rows, columns):
    return jax.random.normal(key, (rows, columns))
"""
    static = '@partial(jax.jit, static_argnames=("rows", "columns"))'
    assert fixed_unsafely(source, tmp_path) == source.replace("@jax.jit", static)


def test_a_report_that_one_file_uncovers_takes_nothing_back_in_another(tmp_path: Path) -> None:
    uncovering = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x, n):
    y = jnp.zeros(n) + x
    if isinstance(x, int):
        y = y + 1
    return y
"""
    other = "import jax\n\n@jax.jit\ndef g(x):\n    print(x)\n    return x\n"
    (tmp_path / "one.py").write_text(uncovering, encoding="utf-8")
    path = tmp_path / "other.py"
    path.write_text(other, encoding="utf-8")
    outcome = outcome_of(tmp_path, unsafe=True)
    assert path.name in {changed.name for changed in outcome.texts}


def test_the_clock_waits_for_what_is_dispatched_last(tmp_path: Path) -> None:
    source = """\
import time

blur = jax.jit(lambda x: jax.lax.fori_loop(0, 9, lambda _, y: jnp.tanh(y), x))
scale = jax.jit(lambda x: jax.lax.fori_loop(0, 9, lambda _, y: y - y.min(), x))

def bench(x):
    blur(x), scale(x)
    start = time.perf_counter()
    y = blur(x)
    z = scale(y)
    return z, time.perf_counter() - start
"""
    new = fixed(source, tmp_path)
    assert new == source.replace("z = scale(y)", "z = jax.block_until_ready(scale(y))")


def test_a_text_is_spoiled_by_what_it_was_not_before() -> None:
    assert _spoiled("def f():\n    w = 1\n    return w\n", "def f():\n    return w\n") == (
        "it leaves `w` without a value"
    )
    assert _spoiled("x = 1\n", "x = \n") == "it leads to a syntax error"
    assert _spoiled("x = \n", "x = y\n") == "it leaves `y` without a value"
    assert _spoiled("print(w)\n", "print(w, 1)\n") is None
