"""Fixes in notebooks and Markdown: within their code, and every other byte stays."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.commands import jitlint
from tools.fix_proofs.listing import outcome_of

_STEP = "@jax.jit\ndef step(x):\n    x = x + 1\n    x[0] = 2.0  # first\n    return x\n"
_FIXED = _STEP.replace("x[0] = 2.0", "x = x.at[0].set(2.0)")


def _notebook(*cells: str, **style: Any) -> bytes:
    listed = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {"é": [1, {}]},
            "outputs": [],
            "source": source.splitlines(keepends=True),
        }
        for source in cells
    ]
    text = {"cell_type": "markdown", "metadata": {}, "source": "# x[0] = 2.0\n"}
    content = {"cells": [text, *listed], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(content, indent=1, ensure_ascii=False, **style) + "\n").encode()


def _fix(path: Path, data: bytes, *, unsafe: bool = False) -> bytes:
    (path.parent / "setup.cfg").touch()
    path.write_bytes(data)
    outcome = outcome_of(path, unsafe=unsafe)
    for before, after in outcome.files.values():
        assert before == data
        path.write_bytes(after)
        assert not outcome_of(path, unsafe=unsafe).files, "a second run changes something"
        return after
    return data


def test_a_notebook_is_fixed_cell_by_cell(tmp_path: Path) -> None:
    cells = ["%matplotlib inline\nimport jax", _STEP.rstrip("\n"), "!ls\n" + _STEP]
    new = ["%matplotlib inline\nimport jax", _FIXED.rstrip("\n"), "!ls\n" + _FIXED]
    assert _fix(tmp_path / "a.ipynb", _notebook(*cells)) == _notebook(*new)


def test_an_import_is_added_to_the_cell_with_the_others(tmp_path: Path) -> None:
    step = "@jax.jit\ndef f(x):\n    return not x.sum()"
    new = "@jax.jit\ndef f(x):\n    return jnp.logical_not(x.sum())"
    data = _fix(tmp_path / "a.ipynb", _notebook("import jax", step), unsafe=True)
    assert data == _notebook("import jax\nimport jax.numpy as jnp", new)


def test_json_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    data = _notebook("import jax\n", _STEP).replace(b'"metadata": {}', b'"metadata":  {}')
    assert _fix(tmp_path / "a.ipynb", data) == data


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_fences_are_fixed(newline: str, mark: bytes, tmp_path: Path) -> None:
    text = "# é\n\nx[0] = 2.0\n\n- item\n\n  ```python\n{}  ```\n\n```{{code-cell}}\n{}```\n"
    step = "".join(f"  {row}" for row in ("import jax\n" + _STEP).splitlines(keepends=True))
    new = step.replace("x[0] = 2.0", "x = x.at[0].set(2.0)")
    old, want = (
        mark + text.format(one, other).replace("\n", newline).encode()
        for one, other in ((step, _STEP), (new, _FIXED))
    )
    assert _fix(tmp_path / "a.md", old) == want


def test_rows_are_added_within_the_fence(tmp_path: Path) -> None:
    code = "  import jax\n  @jax.jit\n  def f(x):\n    return not x.sum()\n"
    text = f"- item\n\n  ```python\n{code}  ```\n"
    new = text.replace("import jax\n", "import jax\n  import jax.numpy as jnp\n")
    new = new.replace("not x.sum()", "jnp.logical_not(x.sum())")
    assert _fix(tmp_path / "a.md", text.encode(), unsafe=True) == new.encode()


def test_what_a_prompt_has_no_room_for_is_left_alone(tmp_path: Path) -> None:
    rows = ["import jax", "@jax.jit", "def f(x):", "    return not x.sum()", ""]
    prompts = [">>> ", ">>> ", "... ", "... ", "... "]
    text = "".join(f"{prompt}{row}\n" for prompt, row in zip(prompts, rows, strict=True))
    data = f"```python\n{text}```\n".encode()
    assert _fix(tmp_path / "a.md", data, unsafe=True) == data


def test_examples_in_docstrings_are_left_alone(tmp_path: Path) -> None:
    text = f'"""\n```python\nimport jax\n{_STEP}```\n"""\n'.encode()
    assert _fix(tmp_path / "a.py", text) == text


def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").touch()
    path = tmp_path / "a.ipynb"
    path.write_bytes(_notebook("import jax\n", _STEP))

    def check(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return jitlint("check", "--no-cache", *arguments, cwd=tmp_path, stdin=stdin, text=False)

    shown = check("--diff", "a.ipynb").stdout.decode().splitlines()
    assert shown[:2] == ["--- a.ipynb:cell 2", "+++ a.ipynb:cell 2"]
    assert "+    x = x.at[0].set(2.0)  # first" in shown
    piped = check("--fix", "--stdin-filename=a.ipynb", "-", stdin=path.read_bytes())
    assert piped.stdout == _notebook("import jax\n", _FIXED)
    assert check("--fix", "a.ipynb").returncode == 0
    assert path.read_bytes() == _notebook("import jax\n", _FIXED)
