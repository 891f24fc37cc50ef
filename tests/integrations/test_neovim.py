"""A real editor, with the configuration that the documentation gives."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRAIN = """\
import jax
from helper import positive


@jax.jit
def f(x):
    s = "é漢😀"; y = float(x)  # 😀
    if positive(x):
        return y
    return -x
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim(tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    page = (ROOT / "docs" / "integrations" / "editors.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- neovim: begin -->\s*```lua\n(.*?)```", page, re.DOTALL)
    assert found is not None
    config = tmp_path / "config.lua"
    config.write_text(found[1], encoding="utf-8")
    command = tmp_path / "bin" / "jitlint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m jitlint "$@"\n')
    command.chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    (project / "helper.py").write_text("def positive(x):\n    return x.ndim\n")
    (project / "train.py").write_text(TRAIN, encoding="utf-8")
    script = Path(__file__).with_name("neovim.lua")
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "--cmd", "filetype on"]
        + ["-c", f"luafile {config}", "-c", f"luafile {script}"],
        cwd=project,
        env={
            **os.environ,
            "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(tmp_path),
            "XDG_CACHE_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "reports 1",
        "7 float(x)",
        "reports 1",
        "2 bool(x > 0)",
        "reports 1",
        "8 float(x)",
        "hover # JIT105 python-conversion-of-traced-value",
        "reports 0",
        '    s = "é漢😀"; y = x.astype(float)  # 😀',
        "reports 1",
        "8 float(x)",
        "reports 0",
        '    s = "é漢😀"; y = float(x)  # 😀  # noqa: JIT105',
        "stopped 0",
    ], done.stderr
