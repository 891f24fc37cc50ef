"""Where example calls lie, and which they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.verify.case_files import cases_of, tagged


@pytest.mark.parametrize("home", ["cases/models/loss.py", "models/cases/loss.py"])
@pytest.mark.parametrize("name", ["HOSTILE: dict = {}", "INNOCENT = []", "__jitlint_cases__ = []"])
def test_the_file_of_a_module(tmp_path: Path, home: str, name: str) -> None:
    module = tmp_path / "models" / "loss.py"
    cases = tmp_path / home
    for path in (module, cases):
        path.parent.mkdir(parents=True, exist_ok=True)
    module.write_text("")
    cases.write_text(f"import loss\n{name}\n")
    assert cases_of(module, tmp_path) == cases
    cases.write_text("an_ordinary_module = 1\n")
    assert cases_of(module, tmp_path) is None


def test_nothing_above_the_root(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (tmp_path / "cases" / "project").mkdir(parents=True)
    (tmp_path / "cases" / "project" / "loss.py").write_text("HOSTILE = {}\n")
    root.mkdir()
    (root / "loss.py").write_text("")
    assert cases_of(root / "loss.py", root) is None


def test_tagged_calls() -> None:
    namespace = {
        "HOSTILE": {"branch": int},
        "SILENT": {"print": float, "no function": 3},
        "INNOCENT": [str],
    }
    assert list(tagged(namespace)) == [
        ("'branch'", int, False, "['HOSTILE']['branch']"),
        ("'print'", float, False, "['SILENT']['print']"),
        ("innocent 0", str, True, "['INNOCENT'][0]"),
    ]
    assert list(tagged({"HOSTILE": 3})) == []
