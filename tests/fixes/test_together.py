"""What fixes may not take from each other, from names and from the order of imports."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from jitlint.fixes.bound_names import unbound_names
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
