"""JIT104 and JIT110: what asks for a Python bool becomes a function of arrays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_HEAD = "KNOWN = (1, 2)\n@jax.jit\ndef step(x, y, z):\n    x = x * 2\n    s, t = x.sum(), y.sum()\n"


def _result(text: str, folder: Path, *, unsafe: bool = False) -> str:
    result = fixed(f"{_HEAD}    return {text}\n", folder, unsafe=unsafe)
    return result.removeprefix(_HEAD).removeprefix("    return ").rstrip("\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("not s", "jnp.logical_not(s)"),
        ("not (s > 1)", "jnp.logical_not(s > 1)"),
        ("s > 0 and t > 0  # both", "jnp.logical_and(s > 0, t > 0)  # both"),
        ("s > 0 or t > 0", "jnp.logical_or(s > 0, t > 0)"),
        ("any(x)", "jnp.any(x)"),
        ("all(x > 0)", "jnp.all(x > 0)"),
    ],
)
def test_safe(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0 < x < 1", "jnp.logical_and(0 < x, x < 1)"),
        ("x > 0 and y > 0 and z > 0",
         "jnp.logical_and(jnp.logical_and(x > 0, y > 0), z > 0)"),
        ("(x > 0 and\n            y > 0)", "(jnp.logical_and(x > 0,\n            y > 0))"),
        ("not x > 0 or y > 0 and 0 < z < 1",
         "jnp.logical_or(jnp.logical_not(x > 0), "
         "jnp.logical_and(y > 0, jnp.logical_and(0 < z, z < 1)))"),
        ("(x > 0\n            or y > 0)", "(jnp.logical_or(x > 0,\n            y > 0))"),
        ("max(x, 0)", "jnp.maximum(x, 0)"),
        ("max(x, y, 0)", "jnp.maximum(jnp.maximum(x, y), 0)"),
        ("min(max(x, 0), 1)", "jnp.minimum(jnp.maximum(x, 0), 1)"),
        ("max(x)", "jnp.max(x)"),
        ("sorted(x)", "jnp.sort(x)"),
        ("max(v * 2 for v in x)", "jnp.max(jnp.stack([v * 2 for v in x]))"),
        ("any((v > 1 for v in x))", "jnp.any(jnp.stack([v > 1 for v in x]))"),
        ("min([s, t, 0.0])", "jnp.min(jnp.stack([s, t, 0.0]))"),
        ("s in (1, 2)", "jnp.isin(s, jnp.array((1, 2)))"),
        ("1 not in x", "~jnp.isin(1, x)"),
        ("s in KNOWN", "jnp.isin(s, jnp.asarray(KNOWN))"),
        ("all(jax.tree.leaves({'a': s > 0, 'b': t > 0}))",
         "jnp.all(jnp.asarray(jax.tree.leaves({'a': s > 0, 'b': t > 0})))"),
        ("max({'a': s, 'b': t}.values())", "jnp.max(jnp.stack([*{'a': s, 'b': t}.values()]))"),
    ],
)  # fmt: skip
def test_unsafe(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path) == old
    assert _result(old, tmp_path, unsafe=True) == new


@pytest.mark.parametrize(
    "text",
    [
        "x or y",
        "z is not None and z > 0 and x > 0",
        "0 < (x + 1) < 2",
        "max(x, y, key=abs)",
        "(s > 0 and  # why\n            t > 0)",
    ],
)
def test_what_means_something_else_is_left_alone(text: str, tmp_path: Path) -> None:
    assert _result(text, tmp_path, unsafe=True) == text
