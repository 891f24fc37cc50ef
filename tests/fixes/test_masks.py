"""JIT109: what a mask chooses keeps the shape of the array."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import jitlint
from tests.fixes.fixing import fixed

_HEAD = """\
@jax.jit
def step(x, y):
    x = jnp.zeros((3,)) + x.sum()
    n = x.astype(int)
    m = y[0] > 0
"""


def _result(text: str, folder: Path, *, unsafe: bool = False) -> str:
    result = fixed(f"{_HEAD}    return {text}\n", folder, unsafe=unsafe)
    return result.removeprefix(_HEAD).removeprefix("    return ").rstrip("\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[x > 0].sum()  # why", "jnp.where(x > 0, x, 0).sum()  # why"),
        ("2 * jnp.prod(x[x > 0])", "2 * jnp.prod(jnp.where(x > 0, x, 1))"),
        ("x[x > 0].mean()", "jnp.mean(x, where=x > 0)"),
        ("jnp.any(x[x > 0])", "jnp.any(x, where=x > 0)"),
        ("x[jnp.isfinite(x) & (x > y)].std()", "jnp.std(x, where=jnp.isfinite(x) & (x > y))"),
        ("n[n > 1].min()", "jnp.min(n, where=n > 1, initial=jnp.iinfo(n.dtype).max)"),
    ],
)
def test_safe(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("y[m].sum()", "jnp.where(m, y, 0).sum()"),
        ("x[x > 0].max()", "jnp.max(x, where=x > 0, initial=-jnp.inf)"),
        ("x.at[x > 0].set(-1.0)", "jnp.where(x > 0, -1.0, x)"),
    ],
)
def test_unsafe(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path) == old
    assert _result(old, tmp_path, unsafe=True) == new


@pytest.mark.parametrize("text", ["x[x > 0].sum(axis=0)", "x[x > 0]", "jnp.sort(x[x > 0])"])
def test_what_has_another_shape_is_only_advised(text: str, tmp_path: Path) -> None:
    assert _result(text, tmp_path, unsafe=True) == text


def test_advice(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import jax\nimport jax.numpy as jnp\n\n@jax.jit\ndef f(x):\n"
        "    a = jnp.nonzero(x)\n    return x[x > 0], a\n"
    )
    (tmp_path / "setup.cfg").touch()
    done = jitlint("check", "--no-cache", "--output-format=json", ".", cwd=tmp_path)
    fixes = [item["fix"] for item in json.loads(done.stdout)]
    assert {fix["applicability"] for fix in fixes} == {"display-only"}
    contents = [edit["content"] for fix in fixes for edit in fix["edits"]]
    assert contents == [", size=x.size", "jnp.where(x > 0, x, 0)"]
