"""Paths of several projects on one command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.usage_errors import UsageError

FAULT = "import jax\n\n\n@jax.jit\ndef f(x):\n    return 1 if x > 0 else {}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two marked projects and a script, beside a project that nobody names."""
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(f"[project]\nname = '{name}'\n")
        (tmp_path / name / "model.py").write_text(FAULT.format(name))
    (tmp_path / "loose").mkdir()
    (tmp_path / "loose" / "script.py").write_text(FAULT.format("x"))
    with (tmp_path / "two" / "pyproject.toml").open("a") as file:
        file.write("[tool.jitlint]\nignore = ['JIT101']\n")
    return tmp_path


def test_each_is_linted_as_if_it_were_alone(folder):
    paths = [folder / "one", folder / "two" / "model.py", folder / "loose"]
    together = run(Request(paths=tuple(paths)))
    alone = [item for path in paths for item in run(Request(paths=(path,))).diagnostics]
    assert list(together.diagnostics) == sorted(alone, key=lambda item: item.sort_key)
    assert len(together.diagnostics) == 3
    assert together.root == folder
    assert [path.name for path in together.targets] == ["model.py", "model.py", "script.py"]
    assert together.analysis is not None
    assert together.analysis.parsed_files == 3
    assert [item.qualname for item in together.traced] == ["f", "f", "f"]


def test_each_keeps_its_own_configuration(folder, jitlint_run):
    arguments = ["check", "--no-cache", "--output-format", "json"]
    found = jitlint_run(*arguments, str(folder / "one"), str(folder / "two"))
    assert found.code == 1
    assert [Path(item["filename"]).parent.name for item in json.loads(found.out)] == ["one"]


def test_a_path_that_is_missing_stops_all_of_them(folder):
    with pytest.raises(UsageError, match="missing"):
        run(Request(paths=(folder / "one", folder / "two", folder / "loose" / "missing.py")))


def test_a_project_around_all_of_them_holds_them(folder):
    (folder / "pyproject.toml").write_text("[project]\nname = 'all'\n")
    found = run(Request(paths=(folder / "one", folder / "two")))
    assert found.root == folder
