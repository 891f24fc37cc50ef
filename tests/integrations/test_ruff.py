"""jitlint's comments and ruff's, in one file."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """\
import jax


@jax.jit
def f(x):
    if x > 0:  # noqa: JIT101
        return x
    y = float(x)  # noqa: JIT1
    return y + int(x)  # jitlint: ignore[JIT105] here
"""


@pytest.mark.skipif(importlib.util.find_spec("ruff") is None, reason="ruff is not installed")
def test_with_the_setting_of_the_documentation_ruff_leaves_our_comments_alone(tmp_path):
    page = (ROOT / "docs" / "integrations" / "tools.md").read_text(encoding="utf-8")
    (setting,) = re.findall(r"```toml\n(\[tool\.ruff\.lint\]\n.*?)```", page, re.DOTALL)
    path = tmp_path / "a.py"
    path.write_text(SOURCE)

    def ruff() -> str:
        command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--fix", "--preview"]
        done = subprocess.run(
            [*command, "--select", "F,E,RUF100,RUF102,ERA,PGH", str(path)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    (tmp_path / "pyproject.toml").write_text(setting)
    assert "All checks passed!" in ruff()
    assert path.read_text() == SOURCE
    (tmp_path / "pyproject.toml").write_text("")
    ruff()
    assert "noqa: JIT101" not in path.read_text()
