"""JIT105: what Python would make a number stays an array."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_HEAD = """\
import math
from math import sqrt
NAMES = {0: 1.0}
@jax.jit
def step(x, y):
    f, n, b = x.sum().astype(float), y.sum().astype(int), x.sum() > 0
"""


def _result(text: str, folder: Path, *, unsafe: bool) -> str:
    result = fixed(f"{_HEAD}    return {text}\n", folder, unsafe=unsafe)
    return result.removeprefix(_HEAD).removeprefix("    return ").rstrip("\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("float(f)", "f"),
        ("x / float(y + 1)  # why", "x / (y + 1).astype(float)  # why"),
        ("float(y[0])", "y[0].astype(float)"),
        ("int(y[0] + 1) * 2", "(y[0] + 1).astype(int) * 2"),
        ("int(n)", "n"),
        ("bool(b)", "b"),
        ("float(\n        y[0]\n    )", "y[0].astype(float)"),
        ("x.mean().item() * 2", "x.mean() * 2"),
        ("x.tolist()", "x"),
        ("math.sqrt(x.mean())", "jnp.sqrt(x.mean())"),
        ("sqrt(x.mean())", "jnp.sqrt(x.mean())"),
        ("math.atan2(f, 2)", "jnp.arctan2(f, 2)"),
        ("math.acos(f)", "jnp.arccos(f)"),
        ("math.floor(f / 2)", "jnp.floor(f / 2).astype(int)"),
    ],
)
def test_numbers(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path, unsafe=False) == old
    assert _result(old, tmp_path, unsafe=True) == new


@pytest.mark.parametrize(
    "text",
    [
        "float(f,)",
        "f'{float(f)}'",
        "[x for _ in range(int(n))]",
        "x[: int(n)]",
        "math.dist(x, y)",
        "NAMES[n.item()]",
        "NAMES.get(int(n))",
        "dict(zip(y.tolist(), [1, 2]))",
        "{n.item(): 1}",
        "math.log(f, 2)",
        "float(  # why\n        f\n    )",
    ],
)
def test_what_python_needs_is_left_alone(text: str, tmp_path: Path) -> None:
    assert _result(text, tmp_path, unsafe=True) == text
